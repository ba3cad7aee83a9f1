import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";

/** No query, path or name is longer than this. */
const MAX_CHARS = 20_000;

const text = v.pipe(
  v.string("must be a string"),
  v.trim(),
  v.nonEmpty("must not be empty"),
  v.maxLength(MAX_CHARS, `must have at most ${MAX_CHARS} characters`),
);

/** Makes a schema for a whole number of at least `min`. Some clients send digits as a string. */
function integer(min: number) {
  const digits = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));
  return v.pipe(
    v.union([v.number(), digits], "must be a whole number"),
    v.integer("must be a whole number"),
    v.minValue(min, `must be at least ${min}`),
  );
}

function integerUpTo(max: number, min: number) {
  return v.pipe(integer(min), v.maxValue(max, `must be at most ${max}`));
}

/** Makes an optional argument. It is null when absent; some clients send null themselves. */
export function optional<Input, Output>(schema: v.GenericSchema<Input, Output>, description: string) {
  return v.nullish(v.pipe(schema, v.description(description)), null);
}

/** Makes a required text. */
export function requiredText(description: string) {
  return v.pipe(text, v.description(description));
}

export function optionalText(description: string) {
  return optional(text, description);
}

/** Makes an optional id of something in the memory. */
export function optionalId(description: string) {
  return optional(integer(1), description);
}

/** Makes the arguments of a paged answer. By default, an answer takes up to `tokens`. */
export function paging(tokens: number) {
  const { rows, maxRows } = MCP_LIMITS;
  const cursor = v.pipe(
    v.string("must be a string"),
    v.regex(/^\d{1,9}$/, "must be the next_cursor of an earlier answer"),
  );
  return {
    limit: v.pipe(
      optional(integerUpTo(maxRows, 1), `Maximum number of results (default ${rows})`),
      v.transform((limit) => limit ?? rows),
    ),
    cursor: v.pipe(
      optional(cursor, "Continue after an earlier answer: its next_cursor"),
      v.transform((typed) => Number(typed ?? 0)),
    ),
    max_tokens: v.pipe(
      optional(integerUpTo(MCP_TOKENS.max, MCP_TOKENS.min), "Size of the answer in tokens, about"),
      v.transform((wanted) => wanted ?? tokens),
    ),
  };
}
