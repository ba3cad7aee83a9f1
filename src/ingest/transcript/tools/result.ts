import { TOOL_LIMITS } from "../../../constants.ts";
import { cleanHead } from "../../../redact/clean.ts";
import { firstUnits, lastUnits } from "../../../text/units.ts";

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
