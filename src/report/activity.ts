import type { ActivityTimes, ClientCount, FileSummary, RecallCounts } from "../store/browse.ts";
import type { MemoryTotals } from "../store/stored.ts";
import { type Period, periodStart, periodsBetween } from "../text/when.ts";

/** Statistics of a memory. */
export interface MemoryStats {
  totals: MemoryTotals;
  /** The filters in words; empty without any. */
  narrowed: string;
  /** True if there are turns of colleagues, which are not counted. */
  othersLeftOut: boolean;
  /** ISO 8601, of the first and the last turn in the range; null without turns. */
  first: string | null;
  last: string | null;
  period: Period;
  /** One entry per period from the first turn to the last, including empty periods. `start` is a local date. */
  timeline: { start: string; turns: number; sessions: number }[];
  files: FileSummary[];
  /** The coding agents, the busiest first. */
  clients: ClientCount[];
  /** Null when a filter applies, since recalls are counted for the whole memory, and for a team's database. */
  recall: RecallStats | null;
}

/** Statistics of the recall for prompts. */
export type RecallStats = ReturnType<typeof recallStats>;

const RECALL_EVENT = "user-prompt-submit";
const GIVEN = "told";

/** Maximum length of a timeline by day, and of a timeline by week; longer timelines are by month. */
const MAX_DAYS_BY_DAY = 45;
const MAX_DAYS_BY_WEEK = 370;
const DAY_MS = 86_400_000;

/** Counts turns and sessions in the periods between the first and the last turn. */
export function buildTimeline(
  { turns, sessions }: ActivityTimes,
  wanted?: Period,
): Pick<MemoryStats, "first" | "last" | "period" | "timeline"> {
  const [first = null, last = null] = [turns[0], turns.at(-1)];
  if (first === null || last === null) return { first, last, period: wanted ?? "day", timeline: [] };
  const [from, to] = [new Date(first), new Date(last)];
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  const period = wanted ?? (days <= MAX_DAYS_BY_DAY ? "day" : days <= MAX_DAYS_BY_WEEK ? "week" : "month");
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

/** Counts what hooks told for prompts, and what came of it. */
export function recallStats({ calls, told, marked, asked }: RecallCounts) {
  const prompts = calls.filter(({ event }) => event === RECALL_EVENT);
  const count = (isGiven: boolean) =>
    prompts
      .filter(({ decision }) => (decision === GIVEN) === isGiven)
      .reduce((sum, each) => sum + each.calls, 0);
  const turns = told.find(({ event }) => event === RECALL_EVENT);
  const marks = marked.find(({ event }) => event === RECALL_EVENT);
  return {
    given: count(true),
    /** Silent calls that ran out of time are `late`. */
    silent: count(false),
    late: callsOf(calls, RECALL_EVENT, "late"),
    /** Starts at which the agent was told that it can ask. */
    invited: {
      sessions: callsOf(calls, "session-start", GIVEN),
      subagents: callsOf(calls, "subagent-start", GIVEN),
    },
    asked,
    turnsTold: turns?.turns ?? 0,
    /** Told turns with a file that the session touched afterwards. */
    turnsUsed: (turns?.edited ?? 0) + (turns?.read ?? 0),
    turnsNamingFiles: turns?.named ?? 0,
    ledToEdit: turns?.edited ?? 0,
    /** Told turns that the session then printed with `mementor show`. */
    shown: turns?.shown ?? 0,
    marked: { good: marks?.good ?? 0, bad: marks?.bad ?? 0 },
    calls: calls.map((each) => ({ ...each, meanMs: Math.round(each.meanMs * 10) / 10 })),
  };
}

function callsOf(calls: RecallCounts["calls"], event: string, decision: string): number {
  return calls
    .filter((each) => each.event === event && each.decision === decision)
    .reduce((sum, each) => sum + each.calls, 0);
}

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
export function countStreaks(turns: readonly string[], now: Date): Streaks {
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
