import { TOOL_LIMITS } from "../../../constants.ts";
import { cleanHead } from "../../../redact/clean.ts";
import { firstUnits, lastUnits, truncateGraphemes } from "../../../text/cut.ts";
import { evenly } from "../../../text/lines.ts";

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
function quotable(text: string, context: ValueContext): string {
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

/** How much of a result is searched for its first lines, and how much of these for secrets, in characters. */
const HEAD_CHARS = 4_000;
const CLEAN_CHARS = 1_000;

/** Enough for the conclusion of a report, in UTF-16 units. The subagent's turns have the rest. */
const REPORT_CHARS = 800;

/** Returns the start of a tool's output without escape codes; enough of it for `failureText`. */
export function outputHead(output: string): string {
  return Bun.stripANSI(output.slice(0, HEAD_CHARS)).trim();
}

/** Returns the first lines of the reason of a failure, bounded; null when there are none. */
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

/** Returns the end of a report. Starts at a paragraph or line if there is one nearby. */
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
