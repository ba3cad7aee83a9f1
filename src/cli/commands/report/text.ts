import { agentName } from "../../../agents/agent.ts";
import { oneLine } from "../../../agents/notices.ts";
import { NOTE } from "../../../constants.ts";
import { otherClient } from "../../../recall/telling/origin.ts";
import { buildTimeline, type MemoryStats, type RecallStats, recallStats } from "../../../report/activity.ts";
import type { Runtime } from "../../../runtime.ts";
import {
  ALL_AUTHORS,
  authorOrOwn,
  type Filter,
  filtersBut,
  type TypedFilter,
} from "../../../store/filter.ts";
import type { ReadStore } from "../../../store/store.ts";
import { contentsText, groupedDigits, plural } from "../../../text/numbers.ts";
import { periodStart } from "../../../text/when.ts";
import { hasOnlyTimeRange, readOwnTurnsFilter } from "../../command-line/option.ts";
import { storeWaiting } from "../../memory.ts";
import { renderDay, type Screen } from "../../terminal/screen.ts";
import { snakeCased, view } from "../../terminal/view.ts";
import { fileJson, renderFiles } from "../files.ts";

/** Options of the figures. */
interface FigureOptions extends TypedFilter {
  by: MemoryStats["period"] | undefined;
  limit: number;
  json: boolean;
  pager: boolean;
}

/** Shows the work in figures: over time, the busiest files, and the use of recall. */
export async function showFigures(runtime: Runtime, options: FigureOptions): Promise<number> {
  if (runtime.databaseUrl === null) await storeWaiting(runtime);
  return view(runtime, options, async ({ browse, search, local }) => {
    const filter = await readOwnTurnsFilter(options, runtime, browse);
    const stats: MemoryStats = {
      totals: await search.totals(filter),
      narrowed: filterWords(options, filter),
      othersLeftOut: options.author === undefined && (await hasOthers(search)),
      ...buildTimeline(await browse.activity(filter), options.by),
      files: await browse.files({ limit: options.limit, filter }),
      clients: await browse.clients(filter),
      recall: local && hasOnlyTimeRange(filter) ? recallStats(await local.browse.recalls(filter)) : null,
    };
    return { json: () => statsJson(stats), text: (screen) => renderStats(stats, screen) };
  });
}

/** Tells whether there are turns of others, too. */
async function hasOthers(search: ReadStore["search"]): Promise<boolean> {
  const [own, all] = [await search.totals(authorOrOwn(null)), await search.totals()];
  return own.turns + own.notes < all.turns + all.notes;
}

/** Maximum number of bars. If there are more periods, the newest are shown. */
const MAX_BARS = 53;
const BAR_WIDTH = 40;
const MIN_BAR_WIDTH = 10;
/** Width of everything beside the bars: the date, two counts and the spaces between them. */
const BESIDE_BAR = 41;
/** Width of a line with the shortest bar. On narrower terminals the new sessions are not counted. */
const MIN_LINE = BESIDE_BAR + MIN_BAR_WIDTH;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Returns statistics for `--json`. */
function statsJson({ narrowed: _, othersLeftOut: _others, files, ...stats }: MemoryStats): unknown {
  return snakeCased({ ...stats, files: files.map(fileJson) });
}

/** Renders statistics for a terminal: a chart of turns over time, the busiest files, and what came of recall. */
export function renderStats(stats: MemoryStats, screen: Screen): string {
  const { totals, narrowed } = stats;
  if (narrowed !== "" && totals.turns + totals.notes === 0) return `No turn fits ${narrowed}.\n`;
  const parts = [
    renderTimeline(stats, screen),
    renderFiles({ files: stats.files, total: stats.files.length }, screen),
    renderClients(stats),
    renderRecall(stats, screen),
  ];
  const note = stats.othersLeftOut ? "Yours only; --author all counts those of colleagues, too.\n" : "";
  return [screen.style.bold(contentsText(totals)), `\n${note}\n`, parts.filter(Boolean).join("\n")].join("");
}

function renderTimeline({ timeline, period, totals }: MemoryStats, { style, width }: Screen): string {
  if (timeline.length === 0) return "";
  const shown = timeline.slice(-MAX_BARS);
  const max = Math.max(1, ...shown.map(({ turns }) => turns));
  const room = Math.max(MIN_BAR_WIDTH, Math.min(BAR_WIDTH, (width ?? BESIDE_BAR + BAR_WIDTH) - BESIDE_BAR));
  const digits = `${max}`.length;
  // The timeline leaves out notes, unless the filters select nothing else.
  const areNotes = totals.turns === 0 && totals.notes > 0;
  const lines = shown.flatMap(({ start, turns, sessions }, at) => {
    // Several empty periods in a row take one line.
    if (turns === 0) return shown[at - 1]?.turns === 0 ? [] : [style.dim("...")];
    const noun = `${areNotes ? "note" : "turn"}${turns === 1 ? "" : "s"}`;
    const isCounted = sessions > 0 && !areNotes && (width === null || width >= MIN_LINE);
    const newSessions = isCounted ? `, ${plural(sessions, "new session")}` : "";
    const counts = `${`${turns}`.padStart(digits)} ${noun}${newSessions}`;
    return [`${style.dim(label(start, period))}  ${style.cyan(bar(turns / max, room))}  ${counts}`];
  });
  const left = timeline.length - shown.length;
  const last = left > 0 ? `, the last ${MAX_BARS} of ${timeline.length}` : "";
  const without = totals.notes > 0 && !areNotes ? ", without notes" : "";
  const title = `${areNotes ? "Notes" : "Turns"} by ${period}${last}${without}`;
  return `${title}\n${lines.join("\n")}\n`;
}

/** Returns the label of a period: its first day, or its month. */
function label(start: string, period: MemoryStats["period"]): string {
  return period === "month" ? renderDay(start).slice(MONTH_AT) : renderDay(start);
}

/** Position of the month in a rendered day. */
const MONTH_AT = 3;

function bar(share: number, width: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return ("█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "")).padEnd(width);
}

/** Renders the turns and sessions of each agent; empty if Claude Code was the only one. The heading counts notes. */
function renderClients({ clients }: MemoryStats): string {
  const agents = clients.filter(({ client }) => client !== NOTE.client);
  const lines = agents.map(
    ({ client, sessions, turns }) =>
      `${oneLine(agentName(client)).padEnd(20)}  ${plural(turns, "turn")} in ${plural(sessions, "session")}\n`,
  );
  const isOneAgent = agents.every(({ client }) => otherClient(client) === null);
  return isOneAgent ? "" : ["Agents\n", ...lines].join("");
}

function renderRecall({ recall }: MemoryStats, { style }: Screen): string {
  if (recall === null) return "";
  const prompts = recall.given + recall.silent;
  const isUsed = recall.asked.calls > 0 || recall.invited.sessions > 0;
  if (prompts === 0 && recall.turnsTold === 0 && !isUsed)
    return "The hooks have seen none of the prompts counted here.\n";
  const number = groupedDigits;
  const share = prompts === 0 ? "" : style.dim(` (${Math.round((recall.given / prompts) * 100)} %)`);
  const lines = [
    `${number(recall.given)} of ${plural(prompts, "prompt")} told something${share}`,
    ...(recall.late === 0 ? [] : [`${number(recall.late)} of ${plural(prompts, "prompt")} ran out of time`]),
    `${plural(recall.turnsTold, "turn")} told${recall.turnsNamingFiles === 0 ? "" : `, ${number(recall.turnsNamingFiles)} of them with files`}`,
    ...outcomes(recall),
    ...(recall.invited.sessions === 0
      ? []
      : [`${plural(recall.invited.sessions, "session start")} told the agent that it can ask`]),
    recall.asked.calls === 0
      ? "no agent has asked the memory"
      : `agents asked the memory ${plural(recall.asked.calls, "time")} in ${plural(recall.asked.sessions, "session")}`,
  ];
  return lines.map((line, at) => `${at === 0 ? "Recall    " : "          "}${line}\n`).join("");
}

/** Renders the observed outcomes of told turns. Leaves out outcomes without an observation, which need not mean zero. */
function outcomes({ turnsNamingFiles, ledToEdit, turnsUsed, shown, marked }: RecallStats): string[] {
  const read = turnsUsed - ledToEdit;
  const of = `of these ${groupedDigits(turnsNamingFiles)} turns`;
  return [
    ledToEdit > 0 && `${ledToEdit} ${of} led to an edit of one of their files`,
    read > 0 && `${read} ${of} led to a read of one of their files, without an edit`,
    shown > 0 && `${shown} then shown in full`,
    marked.good > 0 && `${plural(marked.good, "answer")} marked good`,
    marked.bad > 0 && `${plural(marked.bad, "answer")} marked bad`,
  ].filter((line) => line !== false);
}

/** Returns the filters in words, such as `branch main, since 4 Mar 2026`; empty without filters. */
export function filterWords(typed: TypedFilter, { since, until }: Filter): string {
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
