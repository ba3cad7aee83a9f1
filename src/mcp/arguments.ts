import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";
import { FIELDS, type FilterName } from "../filter/fields.ts";
import { filtersBut } from "../filter/filter.ts";
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

/** What callers read of all filters but these. */
export function filterProperties<Left extends FilterName = never>(...left: Left[]) {
  return Object.fromEntries(
    filtersBut(...left).map((name): [string, JsonProperty] => {
      const { type, values, description } = FIELDS[name];
      return [name, { type, description, ...(values !== undefined && { enum: values }) }];
    }),
  ) as Record<Exclude<FilterName, Left>, JsonProperty>;
}
