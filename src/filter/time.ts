import { MementorError } from "../errors.ts";
import { parseWhen, type Span } from "../text/when.ts";

/** Reads a time as people type it; throws `usage` when it cannot be read. */
export function readTime(typed: string, now: Date): Span {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `Cannot read "${typed}" as a time.`, {
    hint: 'Try "3 days ago", yesterday, "last week" or 2026-03-01.',
  });
}

/** As `toISOString` writes it: nothing is to be done. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a time of any zone as ISO 8601 in UTC, as times are stored; what is no time stays as it is. */
export function utc(time: string): string {
  if (CANONICAL.test(time)) return time;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
