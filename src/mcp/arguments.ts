import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { SearchFilter } from "../store/types.ts";
import { parseWhen } from "../text/when.ts";
import type { JsonProperty } from "./tool.ts";

/** Longer strings are no query, path or name. */
const MOST_CHARS = 20_000;

const text = v.pipe(
  v.string("is not a string"),
  v.trim(),
  v.nonEmpty("is empty"),
  v.maxLength(MOST_CHARS, `is longer than ${MOST_CHARS} characters`),
);

/** Clients send null for what is not given, and digits as a string. */
function optional<Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return v.optional(v.nullable(schema), null);
}

function integer(least: number, most: number) {
  const digits = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
  return v.pipe(
    v.union([v.number(), digits], "is not a whole number"),
    v.integer("is not a whole number"),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );
}

/** A string that must be given. */
export const Text = text;
export const OptionalText = optional(text);
export const OptionalId = optional(integer(1, Number.MAX_SAFE_INTEGER));
export const OptionalCount = (most: number) => optional(integer(0, most));

/** Arguments that say how much is wanted, with what is meant when they are absent. */
export const paging = (tokens: number) => ({
  limit: v.pipe(
    optional(integer(1, MCP_LIMITS.mostRows)),
    v.transform((rows) => rows ?? MCP_LIMITS.rows),
  ),
  cursor: v.pipe(
    optional(v.pipe(v.string("is not a string"), v.regex(/^\d{1,9}$/, "is not one that an answer gave"))),
    v.transform((cursor) => Number(cursor ?? 0)),
  ),
  max_tokens: v.pipe(
    optional(integer(MCP_TOKENS.least, MCP_TOKENS.most)),
    v.transform((wanted) => wanted ?? tokens),
  ),
});

export const PAGING = (tokens: number) =>
  ({
    limit: {
      type: "integer",
      description: `How many at most (default ${MCP_LIMITS.rows})`,
      minimum: 1,
      maximum: MCP_LIMITS.mostRows,
    },
    cursor: { type: "string", description: "Go on after an earlier answer: its next_cursor" },
    max_tokens: {
      type: "integer",
      description: `About how many tokens the answer may take (default ${tokens})`,
      minimum: MCP_TOKENS.least,
      maximum: MCP_TOKENS.most,
    },
  }) as const satisfies Record<string, JsonProperty>;

/** Arguments that narrow by time and branch. */
export const when = { branch: OptionalText, since: OptionalText, until: OptionalText };

export const WHEN = {
  branch: { type: "string", description: "Only on this git branch" },
  since: { type: "string", description: 'Only from then on: 2026-03-04, 3d, yesterday, "last week"' },
  until: { type: "string", description: "Only up to then" },
} as const satisfies Record<string, JsonProperty>;

/** Arguments that narrow by what was worked on. */
export const about = { file: OptionalText, pr: OptionalId, commit: OptionalText };

export const ABOUT = {
  file: { type: "string", description: "Only what touched this file or directory" },
  pr: { type: "integer", description: "Only of sessions linked to this pull request", minimum: 1 },
  commit: { type: "string", description: "Only what made this commit (the start of its hash will do)" },
} as const satisfies Record<string, JsonProperty>;

/** Makes a filter of arguments; throws `usage` for a time that cannot be read. */
export function filterOf(
  args: { [Name in keyof typeof when]: string | null },
  now: Date,
): Pick<SearchFilter, "branch" | "since" | "until"> {
  const { branch, since, until } = args;
  return {
    ...(branch !== null && { branch }),
    ...(since !== null && { since: moment("since", since, now).from.toISOString() }),
    ...(until !== null && { until: moment("until", until, now).to.toISOString() }),
  };
}

function moment(name: string, typed: string, now: Date) {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `"${name}": "${typed}" is no time.`, {
    hint: 'Write a date (2026-03-04), a distance (3d, 2w, 6h) or a name ("yesterday", "last week").',
  });
}
