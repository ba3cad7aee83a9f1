import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import type { SearchFilter } from "../../store/types.ts";
import { parseWhen, type Span } from "../../text/when.ts";
import { wholeNumber } from "../options.ts";

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

/** Reads the time of an option; throws `usage` when it is none. */
export function moment(option: string, typed: string, now: Date): Span {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `--${option}: "${typed}" is no time.`, {
    hint: 'Write a date (2026-03-04), a distance (3d, 2w, 6h) or a name ("yesterday", "last week").',
  });
}
