import { oneLine } from "../../../agents/notices.ts";
import type { OldCopy } from "../../../project/leftovers.ts";
import type { ForgetPreview } from "../../../store/forget.ts";
import { groupedDigits, plural } from "../../../text/numbers.ts";
import { shortId } from "../../../turn/title.ts";
import { renderList } from "../../terminal/list.ts";
import { renderLocalMinute, type Screen } from "../../terminal/screen.ts";
import { renderBytes, renderFacts } from "../../terminal/table.ts";
import { turnSummaryJson } from "../recent.ts";

export type RemovalKind = "forget" | "prune";

/** The line of a promoted turn in the project's instructions. */
export interface PromotedLine {
  turnId: number;
  /** The file that has it. */
  name: string;
  /** Why it stays there; null where it goes with its turn. */
  stays: string | null;
}

/** What would be removed, and the outcome. */
export interface Removal {
  kind: RemovalKind;
  preview: ForgetPreview;
  copies: readonly OldCopy[];
  copiesDeleted: boolean;
  /** True if the log goes, which may name what is forgotten. */
  emptiesLog: boolean;
  /** Lines that go with their turns. */
  promoted: readonly PromotedLine[];
  outcome: "nothing" | "shown" | "declined" | "removed";
  /** Size of the database before and after; null when nothing was removed. */
  bytes: { before: number; after: number } | null;
  /** False when the database files still contain bytes of removed data; null when nothing was removed. */
  rewritten: boolean | null;
}

/** Titles, fields and paths to show. JSON has them all. */
const MAX_SHOWN = 8;

/** A removal as `--json` gives it. */
export function removalJson(removal: Removal) {
  const { preview, copies, copiesDeleted, emptiesLog, promoted, outcome, bytes, rewritten } = removal;
  return {
    outcome,
    turns: preview.turns,
    notes: preview.notes,
    summaries: preview.summaries,
    subagent_turns: preview.subagentTurns,
    naming_turns: preview.naming,
    copied_turns: preview.copies,
    pinned_turns: preview.pinned,
    quoting_turns: preview.quoting,
    cut_turns: preview.cutTurns,
    sessions: preview.sessions,
    whole_sessions: preview.wholeSessions,
    from: preview.from,
    to: preview.to,
    titles: preview.titles.map(({ sessionId, title }) => ({ session_id: sessionId, title })),
    paths: preview.paths,
    fields: preview.fields,
    newest: outcome === "removed" ? [] : preview.newest.map(turnSummaryJson),
    empties_log: emptiesLog,
    promoted: promoted.map(({ turnId, name, stays }) => ({
      turn_id: turnId,
      file: name,
      removed: outcome === "removed" && stays === null,
    })),
    backups: copies.map(({ path, size }) => ({ path, size, deleted: copiesDeleted })),
    bytes_before: bytes?.before ?? null,
    bytes_after: bytes?.after ?? null,
    rewritten,
  };
}

/** Renders what will be removed, before the confirmation. */
export function renderPreview({ preview, copies, emptiesLog, promoted }: Removal, screen: Screen): string {
  const { turns, notes } = preview;
  if (isNothing(preview)) return "";
  const facts = renderFacts([
    ["Turns", turns === 0 ? cutLines(preview) : [turnsLine(preview), ...withLines(preview)]],
    ["Notes", notes === 0 ? [] : notesLines(preview)],
    ["Not these", quotingLine(preview)],
    ["Sessions", turns === 0 ? [] : [sessionsLine(preview)]],
    [
      "Titles",
      some(preview.titles.map(({ sessionId, title }) => `${shortId(sessionId)}  ${oneLine(title)}`)),
    ],
    ["Also", some(preview.fields.map(({ name, value }) => `${name} ${oneLine(value)}`))],
    ["Files", some(preview.paths.map(oneLine))],
    [
      "Promoted",
      promoted.map(({ turnId, name }) => `the line of turn ${turnId} in ${name}, which goes, too`),
    ],
    ["Log", emptiesLog ? ["is emptied, since its lines may name what is forgotten"] : []],
    ["Backups", copies.map(({ path, size }) => `${oneLine(path)} (${renderBytes(size)})`)],
  ]);
  const list = newest(preview, screen);
  return `${facts}\n${list === "" ? "" : `${list}\n`}`;
}

/** Tells whether nothing of a memory goes. */
function isNothing({ turns, notes, cutTurns, titles, fields }: ForgetPreview): boolean {
  return turns + notes + cutTurns + titles.length + fields.length === 0;
}

function turnsLine(preview: ForgetPreview): string {
  return `${plural(preview.turns, "turn")}${spanOf(preview)}`;
}

function notesLines(preview: ForgetPreview): string[] {
  const { turns, notes, pinnedNotes } = preview;
  const line = `${plural(notes, "note")}${turns === 0 ? spanOf(preview) : ""}`;
  return [line, ...(pinnedNotes === 0 ? [] : [included(pinnedNotes, PINNED)])];
}

function spanOf({ from, to }: ForgetPreview): string {
  const until = to === from ? "" : ` to ${renderLocalMinute(to)}`;
  return from === null ? "" : `, ${renderLocalMinute(from)}${until}`;
}

const PINNED = "that you pinned";

function included(count: number, what: string): string {
  return `including ${count} ${what}`;
}

function withLines(preview: ForgetPreview): string[] {
  const { summaries, subagentTurns, naming, copies, pinned, pinnedNotes, cutTurns } = preview;
  const parts: [number, string][] = [
    [subagentTurns, "by subagents that worked at the time"],
    [summaries, "with a summary of earlier work (it repeats that work)"],
    [copies, "with the same words in another place"],
    [naming, "with the path in the text only"],
    [pinned - pinnedNotes, PINNED],
  ];
  const lines = parts.filter(([count]) => count > 0).map(([count, what]) => included(count, what));
  const cut = `in ${plural(cutTurns, "more turn")}, only the prompt that follows`;
  return cutTurns === 0 ? lines : [...lines, cut];
}

/** Names remaining turns that contain the same text, so the forgotten text would stay in the memory. */
function quotingLine({ quoting }: ForgetPreview): string[] {
  const shown = quoting.slice(0, MAX_SHOWN).join(", ");
  const more = quoting.length > MAX_SHOWN ? ` and ${quoting.length - MAX_SHOWN} more` : "";
  const [noun, verb] = quoting.length === 1 ? ["turn", "says"] : ["turns", "say"];
  return quoting.length === 0
    ? []
    : [`${noun} ${shown}${more}, which ${verb} a line of it, too; forget --match "words" takes all`];
}

/** What is said of turns when none of them goes as a whole. */
function cutLines({ cutTurns }: ForgetPreview): string[] {
  return cutTurns === 0
    ? []
    : [`none as a whole; in ${plural(cutTurns, "turn")}, only the prompt that follows`];
}

function sessionsLine({ sessions, wholeSessions }: ForgetPreview): string {
  const whole = wholeSessions === sessions ? ", completely" : `, ${wholeSessions} of them completely`;
  return `${plural(sessions, "session")}${wholeSessions === 0 ? "" : whole}`;
}

function some(lines: readonly string[]): string[] {
  if (lines.length <= MAX_SHOWN) return [...lines];
  return [...lines.slice(0, MAX_SHOWN), `and ${lines.length - MAX_SHOWN} more`];
}

function newest({ newest, turns, notes }: ForgetPreview, screen: Screen): string {
  if (newest.length === 0) return "";
  const { style } = screen;
  const rows = newest.map((turn) => [
    `${turn.turnId}`,
    turn.title,
    renderLocalMinute(turn.createdAt),
    turn.sessionTitle ?? shortId(turn.sessionId),
  ]);
  const list = renderList(
    [
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "PROMPT", cut: "end", maxWidth: 80 },
      { title: "TIME", isOptional: true, paint: style.dim },
      { title: "SESSION", cut: "end", maxWidth: 60, isOptional: true, paint: style.dim },
    ],
    rows,
    screen,
  );
  const older = turns + notes - newest.length;
  return older > 0 ? `${list}${style.dim(`and ${groupedDigits(older)} older`)}\n` : list;
}

/** Renders the outcome. */
export function renderRemoval(
  { kind, preview, copies, copiesDeleted, promoted, outcome, bytes, rewritten }: Removal,
  screen: Screen,
): string {
  if (outcome === "nothing")
    return kind === "forget" ? "There is nothing to forget.\n" : "There is nothing to prune.\n";
  if (outcome === "shown") return "Nothing was removed: this was a dry run.\n";
  if (outcome === "declined") return NOTHING_REMOVED;
  const done = kind === "forget" ? "Forgotten" : "Pruned";
  const size = bytes === null || rewritten === false ? "" : sizeChange(bytes);
  const left = rewritten === false ? STILL_READ : "";
  const final = isNothing(preview) ? "" : preview.undoesImport ? IMPORT_AGAIN : FOR_GOOD;
  return `${screen.style.green(done)}: ${whatWent(preview)}.${size}\n${linesOut(promoted)}${final}${left}${copiesLine(kind, copies, copiesDeleted)}`;
}

/** Says what became of the lines of promoted turns. */
function linesOut(promoted: readonly PromotedLine[]): string {
  return promoted
    .map(({ turnId, name, stays }) =>
      stays === null
        ? `Removed the line of turn ${turnId} from ${name}.\n`
        : `The line of turn ${turnId} is still in ${name}: ${oneLine(stays)} Once that is mended, run: mementor note ${turnId} --undo\n`,
    )
    .join("");
}

/** Names what was removed, leaving out what there was none of. */
function whatWent({ turns, notes, cutTurns, titles, fields }: ForgetPreview): string {
  const whole = turns + notes;
  const parts = [
    turns > 0 && plural(turns, "turn"),
    notes > 0 && plural(notes, "note"),
    whole === 0 && cutTurns > 0 && `a part of ${plural(cutTurns, "turn")}`,
    whole === 0 && titles.length > 0 && plural(titles.length, "title"),
    whole === 0 && fields.length > 0 && plural(fields.length, "other value"),
  ].filter((part) => part !== false);
  return parts.length === 0 ? plural(0, "turn") : parts.join(", ");
}

/** Says how the size of the database changed, where that shows. */
function sizeChange({ before, after }: NonNullable<Removal["bytes"]>): string {
  const [from, to] = [renderBytes(before), renderBytes(after)];
  return from === to ? ` The database still has ${to}.` : ` The database went from ${from} to ${to}.`;
}

/** Message for a declined removal. */
const NOTHING_REMOVED = "Nothing was removed.\n";

const FOR_GOOD = "This cannot be undone: reading the transcripts again does not bring them back.\n";

const IMPORT_AGAIN = "Importing the same file again brings them back.\n";

const STILL_READ = `Another process is reading the memory, so the database files still contain the old bytes. No search finds them.
mementor removes them when that process has ended. To remove them yourself then, run "mementor forget --finish".
`;

function copiesLine(kind: RemovalKind, copies: readonly OldCopy[], deleted: boolean): string {
  if (copies.length === 0 || kind === "prune") return "";
  const list = copies.map(({ path }) => `  ${oneLine(path)}\n`).join("");
  if (deleted) return `These old copies were deleted:\n${list}`;
  return `These old copies of the memory may still contain it; "mementor forget --backups" deletes them:\n${list}`;
}
