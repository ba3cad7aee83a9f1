import type { OptionSpec } from "./command.ts";

/** The options of `filter.ts` for help; apart from it, since every start reads this table. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  { flags: "--file <path>", description: "Turns that touched this file" },
  { flags: "--session <id>", description: "Turns of this session" },
  { flags: "--branch <name>", description: "Turns on this branch" },
  { flags: "--since <when>", description: 'From then on: 2026-03-04, 3d, yesterday, "last week"' },
  { flags: "--until <when>", description: "Up to then" },
  { flags: "--role <role>", description: "turn, compaction_summary or away_summary" },
  { flags: "--agent <id>", description: "Turns of this subagent" },
  { flags: "--pr <number>", description: "Turns of sessions linked to this pull request" },
  { flags: "--commit <hash>", description: "Turns that made this commit" },
];
