import { oneLine } from "../agents/notices.ts";
import { originOf } from "../recall/telling/origin.ts";
import type { Filter } from "../store/filter.ts";
import type { ExportStore } from "../store/store.ts";
import type { ExportedTurn } from "../store/stored.ts";
import { firstUnits, truncateGraphemes } from "../text/cut.ts";
import { printable } from "../text/invisible.ts";
import { openingOf, partOf, saidIn, textOf } from "../turn/parts.ts";
import { askedOrPasted } from "../turn/title.ts";

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
  const prompt = textOf(turn, "prompt") ?? (partOf(turn, "note") && openingOf(turn));
  return {
    id: turn.turnId,
    time: turn.createdAt,
    isSubagent: turn.agentId !== null,
    whose: oneLine(originOf(turn) ?? "") || null,
    title: truncateGraphemes(oneLine(askedOrPasted(prompt ?? turn.text)), TITLE_GRAPHEMES),
    prompt: shown(prompt),
    said: shown(saidIn(turn)),
    tools: turn.toolSummary.map(oneLine),
    errors: shown(textOf(turn, "errors")),
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
