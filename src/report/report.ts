import type { ReportRows, SessionFile, SessionSummary } from "../store/browse.ts";
import type { Filter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { type Period, periodStart, periodsBetween } from "../text/when.ts";

/** A session in a report. */
export interface ReportSession {
  summary: SessionSummary;
  /** Its files with the most touches, in descending order. */
  files: Omit<SessionFile, "sessionId">[];
  commits: { hash: string; message: string }[];
  prs: { prNumber: number; prUrl: string; prRepository: string }[];
  /** Indexes into `sessions` of those with most files in common, rare ones above all. */
  near: number[];
}

/** How often the busiest files were touched in each period. */
export interface HeatMap {
  period: Period;
  /** Local dates on which the periods start. */
  starts: string[];
  rows: { path: string; touches: number; counts: number[] }[];
}

export interface Report {
  /** The latest session first. */
  sessions: ReportSession[];
  totals: { sessions: number; turns: number; files: number; commits: number; prs: number };
  heat: HeatMap;
  /** From when to when nearly all sessions began, in ms; null without a time. What lies beyond stands apart. */
  usual: readonly [number, number] | null;
}

/** Number of files in the heat map. */
const BUSIEST_FILES = 24;
/** Maximum numbers for each session. */
const MAX_FILES = 30;
const MAX_COMMITS = 30;
const MAX_NEAR = 5;
/** Maximum length of a heat map by day, and of a heat map by week; longer ones are by month. */
const MAX_DAYS_BY_DAY = 42;
const MAX_DAYS_BY_WEEK = 740;
const DAY_MS = 86_400_000;

/** Creates a report of the sessions that match the filter. */
export async function reportOf(
  { browse }: { browse: Pick<BrowseStore, "report"> },
  filter: Filter,
): Promise<Report> {
  const rows = await browse.report(filter, BUSIEST_FILES);
  const files = bySession(rows.files);
  const sessions = sessionsOf(rows, files);
  return {
    sessions,
    totals: {
      sessions: sessions.length,
      turns: sessions.reduce((sum, { summary }) => sum + summary.turns, 0),
      files: new Set(rows.files.map(({ path }) => path)).size,
      commits: new Set(rows.commits.map(({ hash }) => hash)).size,
      prs: new Set(rows.prs.map(({ prUrl }) => prUrl)).size,
    },
    heat: heatMap(rows.hours),
    usual: usualRange(
      rows.sessions
        .map(({ startedAt, endedAt }) => Date.parse(startedAt ?? endedAt ?? ""))
        .filter(Number.isFinite),
    ),
  };
}

function sessionsOf(rows: ReportRows, files: ReadonlyMap<string, SessionFile[]>): ReportSession[] {
  const [commits, prs] = [bySession(rows.commits), bySession(rows.prs)];
  const near = nearest(
    rows.sessions.map(({ sessionId }) => (files.get(sessionId) ?? []).map(({ path }) => path)),
  );
  return rows.sessions.map((summary, i) => {
    const id = summary.sessionId;
    return {
      summary,
      files: (files.get(id) ?? []).slice(0, MAX_FILES).map(({ sessionId: _, ...file }) => file),
      commits: (commits.get(id) ?? []).slice(0, MAX_COMMITS).map(({ sessionId: _, ...commit }) => commit),
      prs: (prs.get(id) ?? []).map(({ sessionId: _, ...pr }) => pr),
      near: near[i] ?? [],
    };
  });
}

/** Files that more sessions touched than this say nothing of a session. */
const MAX_TOUCHED_BY = 50;

/** Finds for each session, given by its files, those with most in common; a file counts the more the fewer touched it. */
function nearest(sessions: readonly (readonly string[])[]): number[][] {
  const touchedBy = new Map<string, number[]>();
  for (const [i, paths] of sessions.entries())
    for (const path of paths)
      touchedBy.set(path, [...(touchedBy.get(path) ?? []).slice(0, MAX_TOUCHED_BY), i]);
  return sessions.map((paths, own) => {
    const common = new Map<number, number>();
    for (const others of paths.map((path) => touchedBy.get(path) ?? [])) {
      if (others.length > MAX_TOUCHED_BY) continue;
      for (const i of others) if (i !== own) common.set(i, (common.get(i) ?? 0) + 1 / others.length);
    }
    const ranked = [...common].sort(([a, m], [b, n]) => n - m || a - b);
    return ranked.slice(0, MAX_NEAR).map(([i]) => i);
  });
}

function bySession<Row extends { sessionId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.sessionId);
    if (group === undefined) groups.set(row.sessionId, [row]);
    else group.push(row);
  }
  return groups;
}

function heatMap(hours: ReportRows["hours"]): HeatMap {
  const moments = hours.map(({ hour }) => new Date(`${hour}:00:00Z`).getTime()).filter(Number.isFinite);
  const usual = usualRange(moments);
  if (usual === null) return { period: "week", starts: [], rows: [] };
  const [first, last] = [new Date(usual[0]), new Date(usual[1])];
  const days = (last.getTime() - first.getTime()) / DAY_MS;
  const period = days <= MAX_DAYS_BY_DAY ? "day" : days <= MAX_DAYS_BY_WEEK ? "week" : "month";
  const starts = periodsBetween(first, last, period);
  const column = new Map(starts.map((start, i) => [start, i]));
  const rows = new Map<string, { path: string; touches: number; counts: number[] }>();
  for (const { path, hour, touches } of hours) {
    const at = column.get(periodStart(new Date(`${hour}:00:00Z`), period));
    const row = rows.get(path) ?? { path, touches: 0, counts: starts.map(() => 0) };
    row.touches += touches;
    // A time far from all others has no column, and counts all the same.
    if (at !== undefined) row.counts[at] = (row.counts[at] ?? 0) + touches;
    rows.set(path, row);
  }
  return { period, starts, rows: [...rows.values()] };
}

/** At most this share of the values on a side counts as outliers, and always one. */
const SHARE = 0.02;
/** Fewer values have none: nothing is usual among them. */
const MIN_VALUES = 6;

/**
 * Returns the range of the values without outliers: those few on a side that are further from the rest than `far` times the
 * width of the rest. Null without values.
 */
export function usualRange(values: readonly number[], far = 1): [min: number, max: number] | null {
  const up = values.toSorted((a, b) => a - b);
  const most = up.length < MIN_VALUES ? 0 : Math.max(1, Math.floor(up.length * SHARE));
  const width = Math.abs((up.at(-1 - most) ?? 0) - (up[most] ?? 0));
  const [min, max] = [up, up.toReversed()].map((sorted) => firstUsual(sorted, most, width * far));
  return min === undefined || max === undefined ? null : [min, max];
}

/** Returns the first value after the gaps that are wider than all the rest. */
function firstUsual(sorted: readonly number[], most: number, width: number): number | undefined {
  for (let count = most; count > 0; count--) {
    const gap = Math.abs((sorted[count] ?? 0) - (sorted[count - 1] ?? 0));
    if (gap > width) return sorted[count];
  }
  return sorted[0];
}
