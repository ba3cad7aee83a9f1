import { lastUnits } from "../../text/units.ts";

/** Enough for the conclusion of a report; its subagent's turns have the rest. UTF-16 units. */
const MAX_CHARS = 800;

/** Returns the end of a report, from the start of a paragraph or line where one is near. */
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
