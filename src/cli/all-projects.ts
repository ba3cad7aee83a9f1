import type { ProjectMemory } from "../project/memories.ts";
import { coverageJson, coverageLines, projectJson, type ShownCoverage } from "../recall/across/coverage.ts";
import { readFilters } from "../recall/across/filter.ts";
import { namedFrom, type ReadEach, readEach, refuseDatabase } from "../recall/across/memories.ts";
import type { Runtime } from "../runtime.ts";
import type { Filter, TypedFilter } from "../store/filter.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import type { ReadStore } from "../store/store.ts";
import { programCommand } from "../text/lines.ts";
import { filterOf } from "./command-line/option.ts";
import { emptyMemory } from "./memory.ts";
import { type ProjectRow, renderPrograms } from "./terminal/list.ts";
import { printPaged } from "./terminal/pager.ts";
import { renderEmptyMemory, type Screen } from "./terminal/screen.ts";
import { renderJson, screenOf, view } from "./terminal/view.ts";

export type ListOptions = TypedFilter & { limit: number; json: boolean; pager: boolean };

/** Reads one kind of list from a memory, and renders it for all. */
interface ListOf<Row> {
  /** Returns one memory's latest rows, at most as many as the list shows, and its total number of rows. */
  read: (store: SqliteStore, project: ProjectMemory) => Promise<{ rows: Row[]; total: number }>;
  /** ISO 8601; rows without a time come last. */
  timeOf: (row: Row) => string | null;
  json: (row: Row) => object;
  /** The name of the list in JSON. */
  key: string;
  text: (rows: readonly (Row & ProjectRow)[], total: number, screen: Screen) => string;
  /** The command that shows a row. */
  command: string;
  /** Throws if no memory knows a value in the filters. Called after all memories were read. */
  settle?: () => void;
}

/** A list of one memory or of all, which filters narrow. */
interface FilteredList<Row> extends Omit<ListOf<Row>, "read" | "settle"> {
  read: (store: ReadStore, filter: Filter) => Promise<{ rows: Row[]; total: number }>;
}

/** Prints a list of this memory or, if that is asked for, of all. Returns the exit code. */
export async function printFiltered<Row extends object>(
  runtime: Runtime,
  options: ListOptions & { allProjects?: boolean },
  list: FilteredList<Row>,
): Promise<number> {
  if (!options.allProjects)
    return view(runtime, options, async (store) => {
      const filter = await filterOf(options, runtime, store.browse);
      const { rows, total } = await list.read(store, filter);
      const empty = total === 0 ? await emptyMemory(runtime, store.search) : null;
      return {
        json: () => ({ [list.key]: rows.map(list.json), total }),
        text: (screen) =>
          list.text(rows, total, screen) + (empty === null ? "" : renderEmptyMemory(empty, screen)),
      };
    });
  const filters = await readFilters(options, runtime, runtime.host.cwd);
  return printList(runtime, options, {
    ...list,
    read: async (store, project) => list.read(store, await filters.of(store, project)),
    settle: () => filters.settle(),
  });
}

export async function printList<Row extends object>(
  runtime: Runtime,
  { limit, json, pager }: { limit: number; json: boolean; pager: boolean },
  list: ListOf<Row>,
): Promise<number> {
  const { host } = runtime;
  refuseDatabase(runtime);
  const { read, leftOut } = await readEach(runtime, list.read);
  list.settle?.();
  const lists = read.map(({ project, result }) => ({ project, result: result.rows }));
  const rows = mergeLatest(lists, list.timeOf).slice(0, limit);
  const coverage = { searched: read.length, byWords: [], leftOut };
  const total = read.reduce((sum, { result }) => sum + result.total, 0);
  if (json) {
    const { by_words: _, ...where } = coverageJson(coverage);
    const listed = rows.map(({ row, project }) => ({ ...list.json(row), ...projectJson(project) }));
    host.stdout.write(renderJson({ [list.key]: listed, total, ...where }));
    return 0;
  }
  const screen = screenOf(runtime);
  const shown = rows.map(({ row, project }) => ({ ...row, project: project.name }));
  const programs = [...new Set(rows.map(({ project }) => project))].map((project) => ({
    name: project.name,
    program: programCommand(namedFrom(runtime, project)),
  }));
  const text =
    list.text(shown, total, screen) +
    renderPrograms(programs, list.command, screen) +
    renderCoverage(coverage, screen);
  await printPaged(host, text, pager);
  return 0;
}

/** Merges the rows of several memories, latest first; rows without a time (ISO 8601) come last. */
function mergeLatest<Row>(
  read: ReadEach<readonly Row[]>["read"],
  timeOf: (row: Row) => string | null,
): { row: Row; project: ProjectMemory }[] {
  return read
    .flatMap(({ project, result }) => result.map((row) => ({ row, project, time: timeOf(row) ?? "" })))
    .sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? 1 : -1))
    .map(({ row, project }) => ({ row, project }));
}

/** Renders the coverage lines at the end of a screen. */
export function renderCoverage(coverage: ShownCoverage, { style }: Screen): string {
  const lines = coverageLines(coverage);
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${style.yellow(line)}\n`).join("")}`;
}
