import { oneLine, printableWords } from "../../../agents/notices.ts";
import { NOTE } from "../../../constants.ts";
import { agentLabel, originJson, saidWhere } from "../../../recall/telling/origin.ts";
import { promptLabel } from "../../../recall/telling/speaker.ts";
import type { MarkKind } from "../../../store/marks.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { printable } from "../../../text/invisible.ts";
import { plural } from "../../../text/numbers.ts";
import { cutToWords } from "../../../text/width.ts";
import { isPrompt, markedPieces, markedPrompt } from "../../../turn/marked.ts";
import { isFollowedBy, withoutForward } from "../../../turn/parts.ts";
import type { PartKind } from "../../../turn/text.ts";
import { turnTitle } from "../../../turn/title.ts";
import {
  PIPE_WIDTH,
  renderLocalMinute,
  renderMarkWords,
  type Screen,
  type Style,
} from "../../terminal/screen.ts";

/** A turn as `--json` gives it. */
export function turnJson(turn: StoredTurn) {
  return {
    turn_id: turn.turnId,
    session_id: turn.sessionId,
    client: turn.client,
    agent_id: turn.agentId,
    line_index: turn.lineIndex,
    provisional: turn.provisional,
    role: turn.role,
    origin: turn.origin,
    time: turn.createdAt,
    ended_at: turn.endedAt,
    branch: turn.branch,
    cwd: turn.cwd,
    model: turn.model,
    client_version: turn.clientVersion,
    session_title: turn.sessionTitle,
    foreign: turn.foreign,
    ...originJson(turn),
    tools: turn.toolSummary,
    text: turn.text,
    parts: turn.parts.map(({ kind, start, end }) => ({ kind, start, end })),
  };
}

/** Renders the heading of a turn: its number, time, branch and session. */
function renderTurnHeading(turn: StoredTurn, style: Style, marks: readonly MarkKind[] = []): string {
  const place = [
    turn.branch && `on ${turn.branch}`,
    agentLabel(turn.client),
    turn.agentId && `subagent ${turn.agentId}`,
  ].flatMap((each) => (each ? [oneLine(each)] : []));
  const title = turn.sessionTitle ? ` "${turn.sessionTitle}"` : "";
  const origin = saidWhere(turn);
  const heading = `turn ${turn.turnId}  ${renderLocalMinute(turn.createdAt)}  ${place.join(", ")}`.trimEnd();
  return `${style.bold(heading)}${renderMarkWords(marks, style)}\n${style.dim(oneLine(`session ${turn.sessionId}${title}${origin === null ? "" : ` (${origin})`}`))}\n`;
}

/** Renders a whole turn for a terminal. */
export function renderTurn(
  turn: StoredTurn,
  { style }: Pick<Screen, "style">,
  { thinking, marks = [] }: TurnShown,
): string {
  return `${renderTurnHeading(turn, style, marks)}\n${renderParts(turn, { style, thinking })}\n`;
}

/** How a turn is shown. */
interface TurnShown {
  /** True if thinking is shown whole. */
  thinking: boolean;
  marks?: readonly MarkKind[];
}

/** Leaves the next prompt out at the end of a turn, where the turn with that prompt follows. */
export function withoutPromptOf(turn: StoredTurn, next: StoredTurn | undefined): StoredTurn {
  return next !== undefined && isFollowedBy(turn, next) ? { ...turn, ...withoutForward(turn) } : turn;
}

/**
 * Names the turn whose prompt follows, which stands at the end of a stored turn without saying whose it is; empty where
 * none does.
 */
export function renderNext(
  turn: StoredTurn,
  next: StoredTurn | undefined,
  { style, width }: Pick<Screen, "style" | "width">,
): string {
  if (next === undefined || !isFollowedBy(turn, next)) return "";
  const line = `Next, turn ${next.turnId}: ${oneLine(turnTitle(next, next.sessionTitle))}`;
  return `\n${style.dim(cutToWords(style.text(line), width ?? PIPE_WIDTH, style.ellipsis))}\n`;
}

/** Names the session in which an agent wrote a note, and the command that shows it; empty where that is not known. */
export function renderNoteSession(
  session: { client: string; sessionId: string } | null,
  { style, program = "mementor" }: Screen,
): string {
  if (session === null) return "";
  const { client, sessionId } = session;
  const where = [agentLabel(client), `session ${sessionId}`].filter(Boolean).join(", ");
  return style.dim(`\nAn agent wrote it, in ${where}: ${printable(program)} show ${sessionId.slice(0, 8)}\n`);
}

/** Names the command that continues a turn's session; empty for a turn whose session was held elsewhere. */
export function renderResumeHint(
  { turnId, sessionId, client, foreign, device }: StoredTurn,
  { style, program = "mementor" }: Screen,
): string {
  if (foreign !== null || client === NOTE.client) return "";
  if (device !== undefined)
    return style.dim(
      `\nTo continue its session, on ${printable(device)}: ${printable(program)} show ${sessionId.slice(0, 8)} --resume\n`,
    );
  return style.dim(`\nTo continue its session: ${printable(program)} show ${turnId} --resume\n`);
}

/** Renders a turn among others of its session. */
export function renderTurnText(
  turn: StoredTurn,
  { style }: Pick<Screen, "style">,
  { thinking, marks = [] }: TurnShown,
): string {
  const facts = [
    renderLocalMinute(turn.createdAt),
    turn.agentId && `subagent ${turn.agentId}`,
    saidWhere(turn),
  ].flatMap((each) => (each ? [oneLine(each)] : []));
  const heading = `turn ${turn.turnId}  ${facts.join(", ")}`;
  return `${style.bold(heading)}${renderMarkWords(marks, style)}\n\n${renderParts(turn, { style, thinking })}\n`;
}

/** How the parts of a turn are shown. */
interface PartsShown {
  style: Style;
  /** True if thinking is shown whole; else only its first line. */
  thinking: boolean;
}

/**
 * Renders a turn's text so that what was thought, said and done look different: labels are bold, thinking is dim and
 * folded, each call of a tool has its own line, and errors are red.
 */
function renderParts(turn: StoredTurn, { style, thinking }: PartsShown): string {
  return markedPieces(turn)
    .map(({ kind, gap, label, text }) => {
      const name = nameOf(label.trim(), kind, turn);
      const words = printableWords(isPrompt(kind) ? markedPrompt(text, `${name} `) : text);
      const body = bodyOf(kind, words, turn, { style, thinking });
      const space = label === "" || body.startsWith("\n") ? "" : " ";
      return `${printableWords(gap)}${style.bold(name)}${space}${painted(kind, body, style)}`;
    })
    .join("");
}

function nameOf(label: string, kind: PartKind | null, { role, origin }: StoredTurn): string {
  if (label === "") return label;
  if (kind === "forward") return "[Next prompt]";
  if (kind === "prompt" && role === "turn" && origin !== "agent") return promptLabel({ origin, role }).trim();
  return role === "compaction_summary" && kind === "prompt" ? "[Summary of what came before]" : label;
}

function bodyOf(
  kind: PartKind | null,
  text: string,
  turn: StoredTurn,
  { style, thinking }: PartsShown,
): string {
  if (kind === "tools") return calls(turn, text, style);
  if (kind === "forward" && text.endsWith(SHORTENED)) return cutShort(text, style);
  return kind === "thinking" && !thinking ? folded(text, style) : text;
}

/** Width of what is shown of a thought; a paragraph is one line. */
const THOUGHT_WIDTH = 160;

/** The first line, and that there is more. */
function folded(text: string, { ellipsis }: Style): string {
  const [first = "", ...more] = text.trimEnd().split("\n");
  const lines = more.filter((line) => line.trim() !== "").length;
  const start = cutToWords(first, THOUGHT_WIDTH, ellipsis);
  if (lines > 0) return `${start} (${plural(lines, "more line")}: --thinking)`;
  return start === first ? first : `${start} (the rest: --thinking)`;
}

/** The calls of tools, each on a line. */
function calls({ toolSummary }: StoredTurn, text: string, style: Style): string {
  const lines = toolSummary.map((call) => `\n  ${cutValues(printableWords(call), style)}`);
  return toolSummary.join(" | ").length === text.length ? lines.join("") : text;
}

/** End of a stored text that was cut, even inside a word; and a call's value long enough to have been cut. */
const SHORTENED = "...";
const CUT_VALUE = /(?<=")(?:[^"\\]|\\.){80,2000}?\.\.\.(?=")/g;
/** Maximum word length; a longer run of characters may be cut anywhere. */
const MAX_WORD = 30;

/** Marks stored cuts in a call's values like cuts made for the screen. */
function cutValues(call: string, style: Style): string {
  return call.replace(CUT_VALUE, (value) => cutShort(value, style));
}

/** A cut text, without the part of a word at its end. */
function cutShort(text: string, { ellipsis }: Style): string {
  const kept = text.slice(0, -SHORTENED.length);
  const last = /\s\S*$/.exec(kept);
  const isWord = last !== null && last[0].length <= MAX_WORD;
  return `${isWord ? kept.slice(0, last.index) : kept}${ellipsis}`;
}

function painted(kind: PartKind | null, text: string, style: Style): string {
  if (kind === "thinking") return eachLine(text, style.dim);
  if (kind === "tools") return eachLine(text, style.cyan);
  if (kind === "errors") return eachLine(text, style.red);
  return text;
}

/** A pager shows each line by itself, so each has its own colour. */
function eachLine(text: string, paint: (line: string) => string): string {
  return text.split("\n").map(paint).join("\n");
}
