import { oneLine } from "../../agents/notices.ts";
import type { MementorError } from "../../errors.ts";
import type { ProjectName } from "../../project/memories.ts";
import { printable } from "../../text/invisible.ts";
import { programCommand } from "../../text/lines.ts";

/** The memories behind an answer over all projects. */
export interface ShownCoverage {
  searched: number;
  /** Searched by keywords alone. */
  byWords: readonly ProjectName[];
  leftOut: readonly { project: ProjectName; error: MementorError | null; reason: string | null }[];
}

const REASONS: Readonly<Record<string, string>> = {
  db_locked: "in use by another process",
  db_corrupt: "damaged",
  db_newer: "written by a newer mementor",
  db_older: "made by an older mementor",
  db_foreign: "not made here",
  not_writable: "cannot be opened",
  not_found: "gone",
};

/** Returns the project of a result for `--json`. */
export function projectJson({ name, root }: ProjectName) {
  return { project: name, project_path: root };
}

/** Returns the searched memories for `--json`. */
export function coverageJson({ searched, byWords, leftOut }: ShownCoverage) {
  return {
    projects: searched,
    by_words: byWords.map(projectJson),
    left_out: leftOut.map((each) => ({
      ...projectJson(each.project),
      code: each.error?.code ?? null,
      reason: reasonOf(each),
    })),
  };
}

/** Lists the memories that were left out or searched by keywords alone, in lines of text; empty when there are none. */
export function coverageLines({ byWords, leftOut }: Omit<ShownCoverage, "searched">): string[] {
  const words = byWords.map(({ name }) => oneLine(name)).join(", ");
  return [
    ...(byWords.length > 0
      ? [`Searched by words only, because the vectors are from another model: ${words}`]
      : []),
    ...(leftOut.length > 0 ? [`Left out: ${leftOutByReason(leftOut)}`] : []),
  ];
}

/** Maximum projects to name per reason. */
const MAX_NAMES = 8;

function leftOutByReason(leftOut: ShownCoverage["leftOut"]): string {
  return [...Map.groupBy(leftOut, reasonOf)]
    .map(([reason, those]) => {
      const names = those.slice(0, MAX_NAMES).map(({ project }) => oneLine(project.name));
      const more = those.length > MAX_NAMES ? ` and ${those.length - MAX_NAMES} more` : "";
      return `${names.join(", ")}${more} (${reason})`;
    })
    .join("; ");
}

function reasonOf({ error, reason }: ShownCoverage["leftOut"][number]): string {
  return printable(reason ?? REASONS[error?.code ?? ""] ?? oneLine(error?.message ?? "cannot be read"));
}

/** Returns the note that a team's server answered, and how to read its turns. */
export function teamAnswerNote(memoryOptions: readonly string[]): string {
  return `The team's server answered. Its turns have their own numbers: ${programCommand(memoryOptions)} show <turn> prints one.`;
}

/** Returns the note that the local copy answered instead of a team's server. */
export function localAnswerNote(reason: string): string {
  return `The team's server does not answer (${oneLine(reason)}): these results are from the local copy.`;
}
