import type { OldCopy } from "../project/leftovers.ts";
import type { ForgetPreview } from "../store/forget/types.ts";
import { plural } from "./ingest.ts";
import { oneLine, renderList } from "./list.ts";
import { type Screen, shortId } from "./screen.ts";
import { renderBytes, renderFacts } from "./table.ts";
import { renderLocalMinute } from "./time.ts";
import { turnSummaryJson } from "./turns.ts";

export type RemovalKind = "forget" | "prune";

/** What a `forget` or a `prune` would take, and what became of it. */
export interface Removal {
  kind: RemovalKind;
  preview: ForgetPreview;
  copies: readonly OldCopy[];
  copiesDeleted: boolean;
  outcome: "nothing" | "shown" | "declined" | "removed";
  /** Of the database, before and after; null when nothing was removed. */
  bytes: { before: number; after: number } | null;
  /** False when the file still holds bytes of what was removed; null when nothing was removed. */
  rewritten: boolean | null;
}

/** So many titles and paths are shown; JSON has them all. */
const SHOWN = 8;

/** A removal as `--json` gives it. */
export function removalJson({ preview, copies, copiesDeleted, outcome, bytes, rewritten }: Removal) {
  return {
    outcome,
    turns: preview.turns,
    summaries: preview.summaries,
    subagent_turns: preview.subagentTurns,
    naming_turns: preview.naming,
    cut_turns: preview.cutTurns,
    sessions: preview.sessions,
    whole_sessions: preview.wholeSessions,
    from: preview.from,
    to: preview.to,
    titles: preview.titles.map(({ sessionId, title }) => ({ session_id: sessionId, title })),
    paths: preview.paths,
    fields: preview.fields,
    newest: outcome === "removed" ? [] : preview.newest.map(turnSummaryJson),
    backups: copies.map(({ path, size }) => ({ path, size, deleted: copiesDeleted })),
    bytes_before: bytes?.before ?? null,
    bytes_after: bytes?.after ?? null,
    rewritten,
  };
}

/** Renders what will go, before anybody is asked. */
export function renderPreview({ preview, copies }: Removal, note: string | null, screen: Screen): string {
  const above = note === null ? "" : `${note}\n`;
  if (preview.turns + preview.cutTurns + preview.titles.length + preview.fields.length === 0) return above;
  const facts = renderFacts([
    ["Turns", [turnsLine(preview), ...withLines(preview)]],
    ["Sessions", [sessionsLine(preview)]],
    [
      "Titles",
      some(preview.titles.map(({ sessionId, title }) => `${shortId(sessionId)}  ${oneLine(title)}`)),
    ],
    ["Cleared", some(preview.fields.map(({ name, value }) => `${name} ${oneLine(value)}`))],
    ["Files", some(preview.paths.map(oneLine))],
    ["Backups", copies.map(({ path, size }) => `${oneLine(path)} (${renderBytes(size)})`)],
  ]);
  return `${above}${facts}\n${newest(preview, screen)}\n`;
}

function turnsLine({ turns, from, to }: ForgetPreview): string {
  const until = to === from ? "" : ` to ${renderLocalMinute(to)}`;
  const span = from === null ? "" : `, ${renderLocalMinute(from)}${until}`;
  return `${plural(turns, "turn")}${span}`;
}

function withLines({ summaries, subagentTurns, naming, cutTurns }: ForgetPreview): string[] {
  const parts: [number, string][] = [
    [subagentTurns, "of subagents at work meanwhile"],
    [summaries, "that sum up what came before (a summary repeats it)"],
    [naming, "that name the path without touching it"],
  ];
  const among = parts.filter(([count]) => count > 0).map(([count, what]) => `among them ${count} ${what}`);
  const cut = `${plural(cutTurns, "more turn")} only lose the prompt that follows them`;
  return cutTurns === 0 ? among : [...among, cut];
}

function sessionsLine({ sessions, wholeSessions }: ForgetPreview): string {
  return `${plural(sessions, "session")}, ${wholeSessions === sessions ? "all" : wholeSessions} of them whole`;
}

function some(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `and ${lines.length - SHOWN} more`];
}

function newest({ newest, turns }: ForgetPreview, screen: Screen): string {
  if (newest.length === 0) return "";
  const { style } = screen;
  const rows = newest.map((turn) => [
    `${turn.turnId}`,
    turn.firstWords,
    renderLocalMinute(turn.createdAt),
    turn.sessionTitle ?? shortId(turn.sessionId),
  ]);
  const list = renderList(
    [
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "PROMPT", cut: "end", most: 80 },
      { title: "TIME", paint: style.dim },
      { title: "SESSION", cut: "end", most: 60, paint: style.dim },
    ],
    rows,
    screen,
  );
  return turns > newest.length ? `${list}${style.dim(`and ${turns - newest.length} older ones`)}\n` : list;
}

/** Renders what became of it. */
export function renderRemoval(
  { kind, preview, copies, copiesDeleted, outcome, bytes, rewritten }: Removal,
  screen: Screen,
): string {
  if (outcome === "nothing")
    return kind === "forget" ? "There is nothing to forget.\n" : "There is nothing to prune.\n";
  if (outcome === "shown") return "Nothing was removed: this was a dry run.\n";
  if (outcome === "declined") return "Nothing was removed.\n";
  const done = kind === "forget" ? "Forgotten" : "Pruned";
  const size =
    bytes === null || rewritten === false
      ? ""
      : ` The database went from ${renderBytes(bytes.before)} to ${renderBytes(bytes.after)}.`;
  const left = rewritten === false ? STILL_READ : "";
  return `${screen.style.green(done)}: ${plural(preview.turns, "turn")}.${size}\n${left}${copiesLine(kind, copies, copiesDeleted)}`;
}

const STILL_READ = `Another process is reading the memory, so the database's files still hold the old bytes. No search finds them.
mementor removes them by itself when that process has ended; "mementor forget --finish" does it at once.
`;

function copiesLine(kind: RemovalKind, copies: readonly OldCopy[], deleted: boolean): string {
  if (copies.length === 0 || kind === "prune") return "";
  const list = copies.map(({ path }) => `  ${oneLine(path)}\n`).join("");
  if (deleted) return `These old copies were deleted:\n${list}`;
  return `These old copies of the memory may still hold it; "mementor forget --backups" deletes them:\n${list}`;
}
