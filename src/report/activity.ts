import type { Activity, FileSummary, RecallCounts } from "../store/browse/types.ts";
import type { Totals } from "../store/types.ts";
import { type Period, periodStart, periodsBetween } from "../text/calendar.ts";

/** What a memory holds and what came of it. */
export interface Stats {
  totals: Totals;
  /** ISO 8601, of the first and the last turn in the range; null without turns. */
  first: string | null;
  last: string | null;
  period: Period;
  /** One a period from the first turn to the last, empty ones included; `start` is a local date. */
  timeline: { start: string; turns: number; sessions: number }[];
  files: FileSummary[];
  /** Null where recalls do not belong to what is shown. */
  recall: RecallStats | null;
}

/** What came of the recall for prompts. */
export interface RecallStats {
  /** Prompts that were answered with memories, and those that were not. */
  given: number;
  silent: number;
  /** Turns that were told for prompts, and those of them with a file that was touched in the session afterwards. */
  turnsTold: number;
  turnsUsed: number;
  calls: RecallCounts["calls"];
}

const RECALL_EVENT = "user-prompt-submit";
const GIVEN = "told";

/** Up to so many days are shown by day, up to so many by week. */
const BY_DAY = 45;
const BY_WEEK = 370;
const DAY_MS = 86_400_000;

/** Counts turns and sessions in the periods between the first and the last turn. */
export function timelineOf(
  { turns, sessions }: Activity,
  wanted?: Period,
): Pick<Stats, "first" | "last" | "period" | "timeline"> {
  const [first = null, last = null] = [turns[0], turns.at(-1)];
  if (first === null || last === null) return { first, last, period: wanted ?? "day", timeline: [] };
  const [from, to] = [new Date(first), new Date(last)];
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  const period = wanted ?? (days <= BY_DAY ? "day" : days <= BY_WEEK ? "week" : "month");
  const turnsBy = countBy(turns, period);
  const sessionsBy = countBy(sessions, period);
  const timeline = periodsBetween(from, to, period).map((start) => ({
    start,
    turns: turnsBy.get(start) ?? 0,
    sessions: sessionsBy.get(start) ?? 0,
  }));
  return { first, last, period, timeline };
}

function countBy(times: readonly string[], period: Period): Map<string, number> {
  const counts = new Map<string, number>();
  for (const time of times) {
    const start = periodStart(new Date(time), period);
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  return counts;
}

/** Sums up what hooks told for prompts, and what of it was of use. */
export function recallStats({ calls, told }: RecallCounts): RecallStats {
  const prompts = calls.filter(({ event }) => event === RECALL_EVENT);
  const count = (isGiven: boolean) =>
    prompts
      .filter(({ decision }) => (decision === GIVEN) === isGiven)
      .reduce((sum, each) => sum + each.calls, 0);
  const turns = told.find(({ event }) => event === RECALL_EVENT);
  return {
    given: count(true),
    silent: count(false),
    turnsTold: turns?.turns ?? 0,
    turnsUsed: turns?.used ?? 0,
    calls,
  };
}
