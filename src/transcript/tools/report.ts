import { lastUnits } from "../../text/units.ts";

/** Enough for the conclusion of a report, in UTF-16 units. The subagent's turns have the rest. */
const MAX_CHARS = 800;

/** Returns the end of a report. Starts at a paragraph or line if there is one nearby. */
export function reportEnd(report: string): string {
  const text = report.trim();
  if (text.length <= MAX_CHARS) return text;
  const end = lastUnits(text, MAX_CHARS).toWellFormed();
  for (const gap of ["\n\n", "\n", " "]) {
    const at = end.indexOf(gap);
    if (at >= 0 && at < MAX_CHARS / 2) return end.slice(at).trim();
  }
  return end;
}
