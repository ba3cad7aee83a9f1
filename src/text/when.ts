import { MementorError } from "../errors.ts";

export type Period = "day" | "week" | "month";

/** Returns the local date on which the period around a time starts, `2026-03-02`; weeks start on Monday. */
export function periodStart(time: Date, period: Period): string {
  return dateText(startOf(time, period));
}

/** Returns the starts of all periods from the one around `first` to the one around `last`, in order. */
export function periodsBetween(first: Date, last: Date, period: Period): string[] {
  const starts: string[] = [];
  const end = startOf(last, period);
  for (let start = startOf(first, period); start <= end; start = next(start, period))
    starts.push(dateText(start));
  return starts;
}

function startOf(time: Date, period: Period): Date {
  const [year, month, day] = [time.getFullYear(), time.getMonth(), time.getDate()];
  if (period === "month") return new Date(year, month, 1);
  return new Date(year, month, period === "day" ? day : day - ((time.getDay() + 6) % 7));
}

function next(start: Date, period: Period): Date {
  const [year, month, day] = [start.getFullYear(), start.getMonth(), start.getDate()];
  if (period === "month") return new Date(year, month + 1, 1);
  return new Date(year, month, day + (period === "day" ? 1 : 7));
}

function dateText(date: Date): string {
  const two = (value: number) => `${value}`.padStart(2, "0");
  return `${`${date.getFullYear()}`.padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A range of time including both ends. For an exact moment, the ends are equal. */
export interface TimeSpan {
  from: Date;
  to: Date;
}

/**
 * Parses a time as people type it: `2026-03-04`, `2026-03`, `2026`, `2026-03-04 10:22`, `2026-03-04T10:22:31Z`, `30min`,
 * `6h`, `3d`, `2w`, `1mo`, `1y` (each with or without `ago`), `now`, `today`, `yesterday`, `this|last week|month|year`.
 *
 * A date or a named period is a range: `--since` takes its start, `--until` its end. Weeks start on Monday. A time
 * without a zone is local. Days, weeks, months and years keep the time of day across clock changes. Returns null for
 * anything else, including days that do not exist.
 */
export function parseWhen(text: string, now: Date): TimeSpan | null {
  const typed = text.trim().toLowerCase().replace(/\s+/g, " ");
  return named(typed, now) ?? ago(typed, now) ?? calendar(typed) ?? exact(typed);
}

type Part = "day" | "week" | "month" | "year";

function named(typed: string, now: Date): TimeSpan | null {
  if (typed === "now") return { from: now, to: now };
  if (typed === "today") return periodAt("day", now, 0);
  if (typed === "yesterday") return periodAt("day", now, -1);
  const [, which, part] = /^(this|last) (week|month|year)$/.exec(typed) ?? [];
  if (part !== "week" && part !== "month" && part !== "year") return null;
  return periodAt(part, now, which === "last" ? -1 : 0);
}

/** Returns the day, week, month or year that is `offset` periods after the current one. */
function periodAt(part: Part, now: Date, offset: number): TimeSpan {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const monday = day - ((now.getDay() + 6) % 7);
  const start = (n: number) =>
    ({
      day: () => new Date(year, month, day + n),
      week: () => new Date(year, month, monday + 7 * n),
      month: () => new Date(year, month + n, 1),
      year: () => new Date(year + n, 0, 1),
    })[part]();
  return { from: start(offset), to: before(start(offset + 1)) };
}

const EXACT_UNITS: Record<string, number> = { min: 60_000, minute: 60_000, h: 3_600_000, hour: 3_600_000 };
const CALENDAR_UNITS: Record<string, readonly [days: number, months: number]> = {
  d: [1, 0],
  day: [1, 0],
  w: [7, 0],
  week: [7, 0],
  mo: [0, 1],
  month: [0, 1],
  y: [0, 12],
  year: [0, 12],
};

function ago(typed: string, now: Date): TimeSpan | null {
  const [, digits, word = ""] = /^(\d{1,5}) ?([a-z]+?)s?(?: ago)?$/.exec(typed) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  const ms = EXACT_UNITS[word];
  if (ms !== undefined) return moment(new Date(now.getTime() - count * ms));
  const unit = CALENDAR_UNITS[word];
  if (unit === undefined) return null;
  const [days, months] = unit;
  const then = new Date(now);
  const day = then.getDate();
  then.setDate(1);
  then.setMonth(then.getMonth() - count * months);
  // In a shorter month, the 31st becomes the last day.
  then.setDate(Math.min(day, new Date(then.getFullYear(), then.getMonth() + 1, 0).getDate()));
  then.setDate(then.getDate() - count * days);
  return moment(then);
}

function calendar(typed: string): TimeSpan | null {
  const [, y, m, d] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(typed) ?? [];
  if (y === undefined) return null;
  const [year, month, day] = [Number(y), Number(m ?? 1) - 1, Number(d ?? 1)];
  const from = localDate(year, month, day);
  if (from === null) return null;
  const next =
    d !== undefined
      ? new Date(year, month, day + 1)
      : m !== undefined
        ? new Date(year, month + 1, 1)
        : new Date(year + 1, 0, 1);
  return { from, to: before(next) };
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(z|[+-]\d{2}:?\d{2})?$/;

/** Returns the whole minute or second that a time of day names. */
function exact(typed: string): TimeSpan | null {
  const [, y, mo, d, h, mi, s, fraction, zone] = TIME.exec(typed) ?? [];
  if (y === undefined || localDate(Number(y), Number(mo) - 1, Number(d)) === null) return null;
  if (Number(h) > 23 || Number(mi) > 59 || Number(s ?? 0) > 59) return null;
  const ms = (fraction ?? "0").padEnd(3, "0").slice(0, 3);
  const offset = (zone ?? "").toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  const from = new Date(`${y}-${mo}-${d}T${h}:${mi}:${s ?? "00"}.${ms}${offset}`);
  if (Number.isNaN(from.getTime())) return null;
  const length = fraction !== undefined ? 1 : s !== undefined ? 1_000 : 60_000;
  return { from, to: new Date(from.getTime() + length - 1) };
}

function localDate(year: number, month: number, day: number): Date | null {
  const date = new Date(year, month, day);
  return year >= 100 && date.getMonth() === month && date.getDate() === day ? date : null;
}

function before(date: Date): Date {
  return new Date(date.getTime() - 1);
}

function moment(date: Date): TimeSpan {
  return { from: date, to: date };
}

/** Parses a time as people type it. Throws `usage` when it is not a time. */
export function readTime(typed: string, now: Date): TimeSpan {
  const span = parseWhen(typed, now);
  if (span) return span;
  throw new MementorError("usage", `Cannot read "${typed}" as a time.`, {
    hint: 'Try "3 days ago", yesterday, "last week" or 2026-03-01.',
  });
}

/** The format of `toISOString`; such times need no conversion. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a time in any zone as ISO 8601 in UTC, the stored format. Returns text that is not a time unchanged. */
export function toUtc(time: string): string {
  if (CANONICAL.test(time)) return time;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

/**
 * Compares two times in ISO 8601 and UTC for sorting; an unknown one comes first. Unlike `localeCompare`, it loads no
 * collation tables, which take a hook most of a millisecond.
 */
export function compareTimes(a: string | null | undefined, b: string | null | undefined): number {
  const [first, second] = [a ?? "", b ?? ""];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Renders the day of an ISO 8601 time, `2026-03-04`, for agents and files. */
export function renderDate(time: string | null): string {
  return time?.slice(0, 10) ?? "unknown date";
}

/** Renders an ISO 8601 time to the minute, `2026-03-04 10:22`, in UTC. */
export function renderMinute(time: string | null): string {
  return time === null ? "unknown time" : time.slice(0, 16).replace("T", " ");
}

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Renders a time relative to now, `3 days ago`; null becomes `at an unknown time`. */
export function renderAgo(time: string | null, now: Date): string {
  const seconds = time === null ? Number.NaN : (now.getTime() - Date.parse(time)) / 1000;
  if (Number.isNaN(seconds)) return "at an unknown time";
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (!unit) return "just now";
  const [name, length] = unit;
  const count = Math.trunc(Math.abs(seconds) / length);
  // Intl.RelativeTimeFormat gives the same text, but loading it takes longer than printing a list.
  const distance = `${count} ${name}${count === 1 ? "" : "s"}`;
  return seconds > 0 ? `${distance} ago` : `in ${distance}`;
}
