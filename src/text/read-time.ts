import { MementorError } from "../errors.ts";
import { parseWhen, type Span } from "./when.ts";

/** Parses a time as people type it. Throws `usage` when it is not a time. */
export function readTime(typed: string, now: Date): Span {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `Cannot read "${typed}" as a time.`, {
    hint: 'Try "3 days ago", yesterday, "last week" or 2026-03-01.',
  });
}

/** The format of `toISOString`, which needs no conversion. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a time in any zone as ISO 8601 in UTC, the stored format. Returns text that is not a time unchanged. */
export function utc(time: string): string {
  if (CANONICAL.test(time)) return time;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
