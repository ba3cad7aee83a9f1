/** Runs of consecutive local days with at least one turn. */
export interface Streaks {
  /** Days of the longest run. */
  longest: number;
  /** Days of the run that reaches today or yesterday; 0 without one. */
  current: number;
  /** Days with a turn. */
  days: number;
}

/** Counts days of work and their runs. Days are local. */
export function streaksOf(turns: readonly string[], now: Date): Streaks {
  const days = [...new Set(turns.map((time) => dayNumber(new Date(time))))].sort((a, b) => a - b);
  let longest = 0;
  let run = 0;
  for (const [i, day] of days.entries()) {
    run = i > 0 && day === (days[i - 1] ?? 0) + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  const last = days.at(-1);
  const since = last === undefined ? Number.NaN : dayNumber(now) - last;
  return { longest, current: since === 0 || since === 1 ? run : 0, days: days.length };
}

/** Counts turns by the local hour in which they began: 24 numbers, from midnight on. */
export function turnsByHour(turns: readonly string[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const time of turns) {
    const hour = new Date(time).getHours();
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

/** Days since 1970 of a time's local date. */
function dayNumber(time: Date): number {
  return Math.round(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000);
}
