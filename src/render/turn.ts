import { NOTE } from "../constants.ts";
import type { MarkKind } from "../store/contract/types/marks.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { printable } from "../text/printable.ts";
import { cutToWords } from "../text/width.ts";
import { isFollowedBy, withoutForward } from "../turn/cut.ts";
import { turnTitle } from "../turn/title.ts";
import { heldWith } from "./client.ts";
import { oneLine } from "./list.ts";
import { renderMarkWords } from "./mark-words.ts";
import { originJson, saidWhere } from "./origin.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";
import { renderLocalMinute } from "./time.ts";
import { renderParts } from "./turn-parts.ts";

/** Width where there is no terminal, in columns. */
const WIDTH = 100;

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
    heldWith(turn.client),
    turn.agentId && `subagent ${turn.agentId}`,
  ].filter(Boolean);
  const title = turn.sessionTitle ? ` "${turn.sessionTitle}"` : "";
  const origin = saidWhere(turn);
  const heading = `turn ${turn.turnId}  ${renderLocalMinute(turn.createdAt)}  ${place.join(", ")}`.trimEnd();
  return `${style.bold(printable(heading))}${renderMarkWords(marks, style)}\n${style.dim(printable(`session ${turn.sessionId}${title}${origin === null ? "" : ` (${origin})`}`))}\n`;
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
export interface TurnShown {
  /** Whether thinking is shown whole. */
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
  return `\n${style.dim(cutToWords(style.text(line), width ?? WIDTH, style.ellipsis))}\n`;
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
  ].filter(Boolean);
  const heading = printable(`turn ${turn.turnId}  ${facts.join(", ")}`);
  return `${style.bold(heading)}${renderMarkWords(marks, style)}\n\n${renderParts(turn, { style, thinking })}\n`;
}
