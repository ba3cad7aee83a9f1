import { TOOL_LIMITS } from "../../../constants.ts";
import { cleanHead } from "../../../redact/clean.ts";
import { evenly } from "../../../text/even.ts";
import { truncateGraphemes } from "../../../text/graphemes.ts";

/**
 * How to convert a value of a tool call to text. It is cleaned before it is cut, so that a cut never leaves half a
 * secret.
 */
export interface ValueContext {
  clean: (text: string) => string;
  /** Returns the stored form of a path, or the path itself when it has none. */
  path: (given: string) => string;
}

/** Values are cut to this length before they are cleaned. Far more than is ever shown. */
const RAW_CHARS = 1_000;

/** Cleans, cuts to the limit and escapes a value, for use between quotes. */
export function quotable(text: string, context: ValueContext): string {
  const cleaned = cleanHead(text, RAW_CHARS, context.clean);
  const short = truncateGraphemes(evenly(cleaned), TOOL_LIMITS.valueGraphemes);
  return short.includes('"') ? short.replaceAll('"', '\\"') : short;
}

/** `key="value"`; null when there is no value. */
export function argument(key: string, value: string | null, context: ValueContext): string | null {
  const text = value === null ? "" : quotable(value, context);
  return text === "" ? null : `${key}="${text}"`;
}

/** `Name("title")`. */
export function titled(name: string, title: string, context: ValueContext): string {
  const text = quotable(title, context);
  return call(name, [text === "" ? null : `"${text}"`]);
}

/** `Name(a, b)`, or the bare name when no argument is left. */
export function call(name: string, parts: readonly (string | null)[]): string {
  let present = "";
  for (const part of parts) if (part) present += present === "" ? part : `, ${part}`;
  return present === "" ? name : `${name}(${present})`;
}
