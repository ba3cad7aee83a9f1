import { TOOL_LIMITS } from "../../../constants.ts";
import { firstUnits, lastUnits, truncateGraphemes } from "../../../text/cut.ts";
import { onOneLine } from "../../../text/lines.ts";

/** Conversions for values of a tool call. A value is cleaned before it is cut, so that a cut never leaves half a secret. */
export interface ValueContext {
  clean: (text: string) => string;
  /** Returns the stored form of a path, or the path itself without one. */
  path: (given: string) => string;
}

/** Length to which values are cut before cleaning, far more than is ever shown. */
const RAW_CHARS = 1_000;

/**
 * Cleans the start of a text that may be megabytes long. If the text continues, drops the last word, which may be the start of a
 * secret.
 */
export function cleanHead(text: string, maxChars: number, clean: (text: string) => string): string {
  if (text.length <= maxChars) return clean(text);
  const cleaned = clean(text.slice(0, maxChars).toWellFormed());
  return cleaned.slice(0, Math.max(0, cleaned.search(/\s\S*$/)));
}

/** Cleans, cuts and escapes a value for use between quotes. */
function quotable(text: string, context: ValueContext): string {
  const cleaned = cleanHead(text, RAW_CHARS, context.clean);
  const short = truncateGraphemes(onOneLine(cleaned), TOOL_LIMITS.valueGraphemes);
  return short.includes('"') ? short.replaceAll('"', '\\"') : short;
}

/** Formats `key="value"`; null without a value. */
export function formatArgument(key: string, value: string | null, context: ValueContext): string | null {
  const text = value === null ? "" : quotable(value, context);
  return text === "" ? null : `${key}="${text}"`;
}

/** Formats `Name("title")`. */
export function titled(name: string, title: string, context: ValueContext): string {
  const text = quotable(title, context);
  return call(name, [text === "" ? null : `"${text}"`]);
}

/** Formats `Name(a, b)`, or the bare name without arguments. */
export function call(name: string, parts: readonly (string | null)[]): string {
  let present = "";
  for (const part of parts) if (part) present += present === "" ? part : `, ${part}`;
  return present === "" ? name : `${name}(${present})`;
}

/** Length of a result to search for its first lines, and of these lines to clean, in characters. */
const HEAD_CHARS = 4_000;
const CLEAN_CHARS = 1_000;

/** Length of a report's end, in UTF-16 units, enough for its conclusion. The subagent's turns have the rest. */
const REPORT_CHARS = 800;

/** Returns the start of a tool's output without escape codes, enough for `failureText`. */
export function outputHead(output: string): string {
  return Bun.stripANSI(output.slice(0, HEAD_CHARS)).trim();
}

/** Returns the first lines of a failure's reason, shortened; null when there are none. */
export function failureText(reason: string, clean: (text: string) => string): string | null {
  const lines = cleanHead(outputHead(reason), CLEAN_CHARS, clean)
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(0, TOOL_LIMITS.errorLines)
    .join("\n");
  if (lines.length <= TOOL_LIMITS.errorChars) return lines === "" ? null : lines;
  return `${firstUnits(lines, TOOL_LIMITS.errorChars)}...`;
}

/** Returns the end of a report, from a paragraph or line break if one is near. */
export function reportEnd(report: string): string {
  const text = report.trim();
  if (text.length <= REPORT_CHARS) return text;
  const end = lastUnits(text, REPORT_CHARS).toWellFormed();
  for (const gap of ["\n\n", "\n", " "]) {
    const at = end.indexOf(gap);
    if (at >= 0 && at < REPORT_CHARS / 2) return end.slice(at).trim();
  }
  return end;
}
