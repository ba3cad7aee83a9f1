import * as v from "valibot";
import { MementorError } from "../errors.ts";
import type { SearchFilter } from "../store/store.ts";
import { parseWhen } from "../text/when.ts";
import type { OptionSpec } from "./command.ts";
import { wholeNumber } from "./options.ts";

const text = v.optional(v.string());

/** The options by which commands narrow what they look at. */
export const FilterOptions = v.object({
  file: text,
  session: text,
  branch: text,
  since: text,
  until: text,
  role: v.optional(
    v.picklist(
      ["turn", "compaction_summary", "away_summary"],
      "is one of turn, compaction_summary, away_summary",
    ),
  ),
  agent: text,
  pr: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  commit: text,
});

/** The same for help. */
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

/** Makes a filter of options; throws `usage` for a time that cannot be read. */
export function toFilter(options: v.InferOutput<typeof FilterOptions>, now: Date): SearchFilter {
  const { file, session, branch, since, until, role, agent, pr, commit } = options;
  return {
    ...(file !== undefined && { filePath: file }),
    ...(session !== undefined && { sessionId: session }),
    ...(branch !== undefined && { branch }),
    ...(since !== undefined && { since: moment("since", since, now).from.toISOString() }),
    ...(until !== undefined && { until: moment("until", until, now).to.toISOString() }),
    ...(role !== undefined && { role }),
    ...(agent !== undefined && { agentId: agent }),
    ...(pr !== undefined && { prNumber: pr }),
    ...(commit !== undefined && { commit }),
  };
}

function moment(option: string, typed: string, now: Date) {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `--${option}: "${typed}" is no time.`, {
    hint: 'Write a date (2026-03-04), a distance (3d, 2w, 6h) or a name ("yesterday", "last week").',
  });
}
