import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";

/** Longer strings are no query, path or name. */
const MAX_CHARS = 20_000;

const text = v.pipe(
  v.string("is not a string"),
  v.trim(),
  v.nonEmpty("is empty"),
  v.maxLength(MAX_CHARS, `is longer than ${MAX_CHARS} characters`),
);

/** Makes a whole number of at least `min`. Some clients send digits as a string. */
function integer(min: number) {
  const digits = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
  return v.pipe(
    v.union([v.number(), digits], "is not a whole number"),
    v.integer("is not a whole number"),
    v.minValue(min, `must be at least ${min}`),
  );
}

function integerUpTo(max: number, min: number) {
  return v.pipe(integer(min), v.maxValue(max, `must be at most ${max}`));
}

/** Makes an argument that may be left out: null then, as some clients send it. */
export function optional<Input, Output>(schema: v.GenericSchema<Input, Output>, description: string) {
  return v.nullish(v.pipe(schema, v.description(description)), null);
}

/** A text that must be given. */
export function requiredText(description: string) {
  return v.pipe(text, v.description(description));
}

export function optionalText(description: string) {
  return optional(text, description);
}

/** The number of something that the memory holds. */
export function optionalId(description: string) {
  return optional(integer(1), description);
}

export function optionalCount(max: number, description: string) {
  return optional(integerUpTo(max, 0), description);
}

/** Arguments that say how much is wanted, with their defaults; an answer takes `tokens` unless a call says otherwise. */
export function paging(tokens: number) {
  const { rows, maxRows } = MCP_LIMITS;
  const cursor = v.pipe(v.string("is not a string"), v.regex(/^\d{1,9}$/, "is not one that an answer gave"));
  return {
    limit: v.pipe(
      optional(integerUpTo(maxRows, 1), `How many at most (default ${rows})`),
      v.transform((limit) => limit ?? rows),
    ),
    cursor: v.pipe(
      optional(cursor, "Go on after an earlier answer: its next_cursor"),
      v.transform((typed) => Number(typed ?? 0)),
    ),
    max_tokens: v.pipe(
      optional(
        integerUpTo(MCP_TOKENS.max, MCP_TOKENS.min),
        `About how many tokens the answer may take (default ${tokens})`,
      ),
      v.transform((wanted) => wanted ?? tokens),
    ),
  };
}
