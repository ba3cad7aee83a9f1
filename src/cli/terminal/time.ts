import { localTime } from "../../io/local-time.ts";
import { renderAgo } from "../../text/when.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const DAY_MS = 86_400_000;

/**
 * Renders a time so that the rows of a list differ: `3 hours ago` today, `Tue 10:22` within a week, `23 Feb 10:22` in this
 * year, `23 Feb 2025` before; in the local time zone. Null becomes `at an unknown time`.
 */
export function renderWhen(time: string | null, now: Date): string {
  const date = new Date(time ?? Number.NaN);
  const age = now.getTime() - date.getTime();
  if (Number.isNaN(age) || age < DAY_MS) return renderAgo(time, now);
  const { year, month, day, weekday, hours, minutes } = localTime(date);
  const clock = `${two(hours)}:${two(minutes)}`;
  if (age < 6 * DAY_MS) return `${DAYS[weekday]} ${clock}`;
  const dayOfYear = `${day} ${MONTHS[month - 1]}`;
  return year === localTime(now).year ? `${dayOfYear} ${clock}` : `${dayOfYear} ${year}`;
}

/** Renders a local date, `2026-03-04`, as a cell: ` 4 Mar 2026`. */
export function renderDay(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)}`.padStart(2).concat(` ${MONTHS[Number(month) - 1]} ${year}`);
}

/** Renders an ISO 8601 time to the minute in the local time zone, whatever the year: `4 Mar 2026 10:22`. */
export function renderLocalMinute(time: string | null): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "unknown time";
  const { year, month, day, hours, minutes } = localTime(date);
  return `${day} ${MONTHS[month - 1]} ${year} ${two(hours)}:${two(minutes)}`;
}

function two(value: number): string {
  return `${value}`.padStart(2, "0");
}
