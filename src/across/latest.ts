import type { ProjectMemory } from "../project/memories.ts";
import type { ReadEach } from "./memories.ts";

/** Merges the rows of several memories, latest first; rows without a time (ISO 8601) come last. */
export function latestOfAll<Row>(
  read: ReadEach<readonly Row[]>["read"],
  timeOf: (row: Row) => string | null,
): { row: Row; project: ProjectMemory }[] {
  return read
    .flatMap(({ project, result }) => result.map((row) => ({ row, project, time: timeOf(row) ?? "" })))
    .sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? 1 : -1))
    .map(({ row, project }) => ({ row, project }));
}
