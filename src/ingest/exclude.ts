import type { RawTurn, TurnEntry } from "./transcript/transcript.ts";

/** The user's exclusions: files by glob (relative to the project, or absolute), and whole projects by directory glob. */
export interface Excludes {
  paths: readonly string[];
  projects: readonly string[];
}

export type ExcludeTest = (value: string) => boolean;

/** Returns a function that tests whether a value matches one of the globs. */
export function globTest(patterns: readonly string[]): ExcludeTest {
  const globs = patterns.map((pattern) => new Bun.Glob(pattern));
  return (value) => globs.some((glob) => glob.match(value));
}

/** Removes excluded files from a turn: their mentions, and tool calls and errors that name them. */
export function excludePaths(raw: RawTurn, isExcluded: ExcludeTest): RawTurn {
  const mentioned = new Set(raw.entries.flatMap(({ mentions }) => mentions.map(({ filePath }) => filePath)));
  const excluded = [...mentioned].filter(isExcluded);
  return excluded.length === 0
    ? raw
    : { ...raw, entries: raw.entries.map((entry) => withoutPaths(entry, excluded)) };
}

function withoutPaths(entry: TurnEntry, excluded: readonly string[]): TurnEntry {
  const isSilent = (text: string) => !excluded.some((path) => text.includes(path));
  return {
    ...entry,
    mentions: entry.mentions.filter(({ filePath }) => !excluded.includes(filePath)),
    toolSummary: entry.toolSummary.filter(isSilent),
    errors: entry.errors.filter(isSilent),
  };
}
