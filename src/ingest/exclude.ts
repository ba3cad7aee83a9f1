import type { RawTurn, TurnEntry } from "../transcript/transcript.ts";

/** What the user wants left out: files by glob (relative to the project, or absolute) and whole projects by directory glob. */
export interface Excludes {
  paths: readonly string[];
  projects: readonly string[];
}

export type ExcludeTest = (value: string) => boolean;

/** Returns a test that says whether a value matches one of the globs. */
export function globTest(patterns: readonly string[]): ExcludeTest {
  const globs = patterns.map((pattern) => new Bun.Glob(pattern));
  return (value) => globs.some((glob) => glob.match(value));
}

function withoutPaths(entry: TurnEntry, isExcluded: ExcludeTest): TurnEntry {
  const excluded = entry.mentions
    .filter(({ filePath }) => isExcluded(filePath))
    .map(({ filePath }) => filePath);
  if (excluded.length === 0) return entry;
  return {
    ...entry,
    mentions: entry.mentions.filter(({ filePath }) => !excluded.includes(filePath)),
    toolSummary: entry.toolSummary.filter((summary) => !excluded.some((path) => summary.includes(path))),
  };
}

/** Takes the mentions and tool calls of excluded files out of a turn. */
export function excludePaths(raw: RawTurn, isExcluded: ExcludeTest): RawTurn {
  return { ...raw, entries: raw.entries.map((entry) => withoutPaths(entry, isExcluded)) };
}
