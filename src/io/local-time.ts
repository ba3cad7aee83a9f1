import { lazily } from "../lazily.ts";
import { sqlite } from "./sqlite.ts";

/** An instant as a clock on the wall shows it. */
export interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hours: number;
  minutes: number;
}

/** A list shows a time in each row, and most programs show none. */
const shownTime = lazily(() =>
  new (sqlite().Database)(":memory:").query<{ text: string | null }, [number]>(
    "SELECT strftime('%Y %m %d %w %H %M', ?, 'unixepoch', 'localtime') AS text",
  ),
);

/**
 * Shows an instant in the time zone of this machine, or of the variable `TZ`. Asks the C library, through SQLite: it
 * reads one small file. The first local time of a `Date` loads the data of all time zones, which takes longer than to
 * start a program.
 */
export function localTime(date: Date): LocalTime {
  // On Windows, the C library does not know the time zones by their names.
  if (process.platform === "win32") return ofDate(date);
  const shown = shownTime().get(Math.floor(date.getTime() / 1000))?.text;
  // SQLite knows the years 0 to 9999.
  if (!shown) return ofDate(date);
  const [year = 0, month = 0, day = 0, weekday = 0, hours = 0, minutes = 0] = shown.split(" ").map(Number);
  return { year, month, day, weekday, hours, minutes };
}

function ofDate(date: Date): LocalTime {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    weekday: date.getDay(),
    hours: date.getHours(),
    minutes: date.getMinutes(),
  };
}
