import { lazily } from "../lazily.ts";
import { loadSqlite } from "./sqlite.ts";

/** An instant in local calendar fields. */
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

/** Cached on first use: a list shows many times, but most commands show none. */
const shownTime = lazily(() =>
  new (loadSqlite().Database)(":memory:").query<{ text: string | null }, [number]>(
    "SELECT strftime('%Y %m %d %w %H %M', ?, 'unixepoch', 'localtime') AS text",
  ),
);

/**
 * Converts an instant to the time zone of this machine, or of the variable `TZ`. Asks the C library through SQLite, which reads
 * one small file. The first local time of a `Date` would load the data of all time zones, which takes longer than starting a
 * program.
 */
export function localTime(date: Date): LocalTime {
  // On Windows, the C library does not recognise the names of time zones.
  if (process.platform === "win32") return ofDate(date);
  const shown = shownTime().get(Math.floor(date.getTime() / 1000))?.text;
  // SQLite supports only the years 0 to 9999.
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
