import { oneLine } from "../agents/notices.ts";
import { ownerLabel } from "../recall/telling/origin.ts";
import type { ReportRows, SessionFile, SessionSummary } from "../store/browse.ts";
import type { Filter } from "../store/filter.ts";
import type { BrowseStore, ExportStore } from "../store/store.ts";
import type { ExportedTurn } from "../store/stored.ts";
import { firstUnits, truncateGraphemes } from "../text/cut.ts";
import { printable } from "../text/invisible.ts";
import { type Period, periodStart, periodsBetween } from "../text/when.ts";
import { assistantText, findPart, openingText, partText } from "../turn/parts.ts";
import { askedOrPasted } from "../turn/title.ts";

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
interface HeatMap {
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
export async function buildReport(
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

/** Maximum sessions per file; a more common file does not characterise a session. */
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
    // An outlier has no column but still counts in the total.
    if (at !== undefined) row.counts[at] = (row.counts[at] ?? 0) + touches;
    rows.set(path, row);
  }
  return { period, starts, rows: [...rows.values()] };
}

/** At most this share of the values on a side counts as outliers, and always one. */
const SHARE = 0.02;
/** Minimum number of values for detecting outliers. */
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

/** The conversation of a session, as the page holds it. */
export interface Conversation {
  sessionId: string;
  /** Ids of its turns, so that a link to a turn finds its session. */
  turnIds: number[];
  /** JSON of the turns, compressed as raw deflate, in base64. */
  packed: string;
}

/**
 * Compressed conversations that a page holds at most, in bytes of base64. A browser reads so much in well under a second;
 * older sessions are listed without their text.
 */
const MAX_BYTES = 48_000_000;
/** Characters of a part to show; pasted files can be far longer. */
const MAX_PART = 40_000;
const TITLE_GRAPHEMES = 120;

/** Packs conversations until the page is full. */
export async function packConversations(conversations: AsyncIterable<SessionTurns>): Promise<Conversation[]> {
  const packed: Conversation[] = [];
  let bytes = 0;
  for await (const each of conversations) {
    const conversation = packedTurns(each);
    bytes += conversation.packed.length;
    if (bytes > MAX_BYTES) break;
    packed.push(conversation);
  }
  return packed;
}

function packedTurns({ sessionId, turns }: SessionTurns): Conversation {
  const json = JSON.stringify(turns.map(shownTurn));
  return {
    sessionId,
    turnIds: turns.map(({ turnId }) => turnId),
    packed: Buffer.from(Bun.deflateSync(Buffer.from(json))).toString("base64"),
  };
}

/** Returns a turn as the page's script reads it. Its texts hold no control characters and no invisible ones. */
function shownTurn(turn: ExportedTurn) {
  const prompt = partText(turn, "prompt") ?? (findPart(turn, "note") && openingText(turn));
  return {
    id: turn.turnId,
    time: turn.createdAt,
    isSubagent: turn.agentId !== null,
    whose: oneLine(ownerLabel(turn) ?? "") || null,
    title: truncateGraphemes(oneLine(askedOrPasted(prompt ?? turn.text)), TITLE_GRAPHEMES),
    prompt: shown(prompt),
    said: shown(assistantText(turn)),
    tools: turn.toolSummary.map(oneLine),
    errors: shown(partText(turn, "errors")),
    files: [...new Set(turn.mentions.map(({ filePath }) => oneLine(filePath)))],
    commits: turn.commits.map(({ hash, message }) => [oneLine(hash).slice(0, 12), oneLine(message)]),
  };
}

function shown(text: string | null): string | null {
  if (text === null) return null;
  const safe = printable(text);
  return safe.length <= MAX_PART ? safe : `${firstUnits(safe, MAX_PART)}…`;
}

/** Turns to read from the database at a time. */
const PAGE = 100;

/** The turns of a session, in order of time. */
interface SessionTurns {
  sessionId: string;
  turns: ExportedTurn[];
}

/** Reads the turns of sessions that fit, one session at a time, in the order asked for. The caller may stop at any of them. */
export async function* turnsBySession(
  exports: Pick<ExportStore, "turnIds" | "turns">,
  sessionIds: readonly string[],
  filter: Filter,
): AsyncIterable<SessionTurns> {
  for (const sessionId of sessionIds) {
    const ids = await exports.turnIds(sessionId, filter);
    const turns: ExportedTurn[] = [];
    for (let from = 0; from < ids.length; from += PAGE)
      turns.push(...(await exports.turns(ids.slice(from, from + PAGE))));
    yield { sessionId, turns };
  }
}
