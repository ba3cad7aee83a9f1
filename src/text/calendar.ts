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
