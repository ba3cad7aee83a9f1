import { ALL_AUTHORS } from "../filter/fields.ts";
import { type Filter, filtersBut, type TypedFilter } from "../filter/filter.ts";
import { periodStart } from "../text/calendar.ts";
import { oneLine } from "./list.ts";
import { renderDay } from "./time.ts";

/** Says in words what is counted, such as `branch main, since 4 Mar 2026`; empty without filters. */
export function narrowedTo(typed: TypedFilter, { since, until }: Filter): string {
  const days: Partial<Record<string, string>> = { since, until };
  return filtersBut()
    .flatMap((name) => {
      const value = typed[name];
      if (value === undefined || value === null || value === false || value === ALL_AUTHORS) return [];
      if (value === true) return [name];
      return `${name} ${oneLine(dayOf(days[name]) ?? `${value}`)}`;
    })
    .join(", ");
}

function dayOf(time: string | undefined): string | null {
  return time === undefined ? null : renderDay(periodStart(new Date(time), "day")).trim();
}
