import { type Chunk, turnOrigin } from "../../../domain.ts";
import { clean, cleaned } from "../../../redact/gate.ts";
import { mapText } from "../../../turn/grammar.ts";
import { partText, withoutNarration } from "../../../turn/parts.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { Exclusions, Sharing, TeamChunk, TeamSession, TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutForwardContext } from "../forget/clear-forward.ts";
import { storedTurns } from "../turns/columns.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";
import { cleanChunks } from "../write/gate.ts";
import {
  type Audience,
  firstTurnId,
  IS_OPEN,
  nextTurnId,
  ownTurns,
  readCommits,
  readLinks,
  readSubagent,
  sessionRow,
} from "./own-turns.ts";
import { decideSharing, isWanted, mayTravel, type OwnTurn } from "./rules.ts";

type StoredChunk = Chunk & { id: number };

/** The circle and the rules of sharing. */
export interface AudienceRules {
  circle: Audience;
  sharing: Sharing;
  exclusions: Exclusions;
}

/** Turns to examine per transaction, so that hooks can write in between. */
const TURNS_PER_STEP = 50;

/** Returns a limited number of turns that changed since they were examined. The last turn of an open session waits. */
export function changedTurns(connection: Connection, circle: Audience, openSince: string): number[] {
  return connection.column<number>(
    `SELECT d.turn_id AS id FROM ${circle}_dirty d LEFT JOIN turns t ON t.id = d.turn_id
       WHERE ${IS_OPEN} IS NOT TRUE ORDER BY d.turn_id LIMIT $limit`,
    { openSince, limit: TURNS_PER_STEP },
  );
}

export function markExamined(connection: Connection, circle: Audience, turnIds: readonly number[]): void {
  connection.run(
    `DELETE FROM ${circle}_dirty WHERE turn_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(turnIds),
  );
}

/** Reads the shared form of a turn; null if it stays here. */
export function leavingTurn(connection: Connection, own: OwnTurn, rules: AudienceRules): TeamTurn | null {
  return isWanted(decideSharing(own, rules.sharing, rules.exclusions))
    ? readTurn(connection, own, rules)
    : null;
}

/**
 * Reads the form in which a turn would be shared, with secrets and private passages removed by the current rules; null when
 * nothing is left.
 */
export function readTurn(connection: Connection, own: OwnTurn, rules: AudienceRules): TeamTurn | null {
  const [stored] = storedTurns(connection, [own.turnId]);
  if (stored === undefined) return null;
  const chunks = chunksOf(connection, own.turnId);
  const cut = mayQuoteNext(connection, own, stored, rules)
    ? { turn: { text: stored.text, parts: stored.parts }, chunks }
    : withoutForwardContext({ text: stored.text, parts: stored.parts }, chunks);
  const tools = cleaned({ toolSummary: stored.toolSummary }).toolSummary;
  const { text, parts } = mapText(cut.turn, clean, tools);
  if (text.trim() === "") return null;
  const sent = cleanChunks(cut.turn.text, text, cut.chunks);
  const model = activeModel(connection);
  const vectors = model === null ? [] : vectorsOf(connection, own.turnId, model.id);
  const withVectors: TeamChunk[] = sent.map(({ chunkIndex, start, end, content }) => ({
    chunkIndex,
    start,
    end,
    content,
    vector: vectors.find((known) => known.content === content)?.vector ?? null,
  }));
  const session = sessionOf(connection, own);
  if (session === null) return null;
  return {
    ...cleaned({
      session,
      agentId: own.agentId,
      subagent: readSubagent(connection, own.sessionId, own.agentId),
      mentions: own.mentions.filter(({ filePath }) => mayTravel(filePath)).toSorted(byPath),
      commits: readCommits(connection, own.turnId),
      branch: own.branch,
      model: stored.model,
      clientVersion: stored.clientVersion,
    }),
    isSidechain: own.isSidechain !== 0,
    origin: turnOrigin(own.origin),
    toolSummary: tools,
    createdAt: own.createdAt,
    endedAt: own.endedAt,
    promptUuid: own.promptUuid,
    text,
    parts: withoutNarration(parts),
    chunks: withVectors,
    vectorModel:
      model !== null && withVectors.some(({ vector }) => vector !== null)
        ? { id: model.name, dimensions: model.dimensions }
        : null,
  };
}

// The forward context quotes the next prompt, which may have to stay here.
function mayQuoteNext(
  connection: Connection,
  own: OwnTurn,
  stored: TurnText,
  { circle, sharing, exclusions }: AudienceRules,
): boolean {
  if (partText(stored, "forward") === null) return true;
  const id = nextTurnId(connection, own);
  const [next] = id === null ? [] : ownTurns(connection, [id], exclusions.openSince, circle);
  if (next === undefined) return false;
  const fate = decideSharing(next, sharing, exclusions);
  return isWanted(fate) || fate === "provisional";
}

function sessionOf(connection: Connection, own: OwnTurn): TeamSession | null {
  const row = sessionRow(connection, own.sessionId);
  if (row === null) return null;
  const isFirst = firstTurnId(connection, own.sessionId) === own.turnId;
  const tells = row.lostTurns === 0;
  return {
    sessionId: own.sessionId,
    client: row.client,
    automated: row.automated !== 0,
    branch: row.branch,
    // The session's times change with every turn; the turn's own times are enough.
    startedAt: own.createdAt,
    endedAt: own.endedAt ?? own.createdAt,
    opening: isFirst
      ? {
          title: tells ? row.title : null,
          titleSource: tells && row.title !== null ? row.titleSource : null,
          firstPrompt: tells ? row.firstPrompt : null,
          links: readLinks(connection, own.sessionId),
        }
      : null,
  };
}

function chunksOf(connection: Connection, turnId: number): StoredChunk[] {
  return connection.all<StoredChunk>(
    `SELECT id, chunk_index AS chunkIndex, content, start, "end" FROM chunks WHERE turn_id = ? ORDER BY chunk_index`,
    turnId,
  );
}

function vectorsOf(connection: Connection, turnId: number, modelId: number) {
  return connection
    .all<{ content: string; embedding: Uint8Array }>(
      `SELECT c.content, v.embedding FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.model_id = ?
       WHERE c.turn_id = ?`,
      modelId,
      turnId,
    )
    .map(({ content, embedding }) => ({ content, vector: fromBytes(embedding) }));
}

function byPath(
  a: { filePath: string; toolName: string },
  b: { filePath: string; toolName: string },
): number {
  const [left, right] = [`${a.filePath}\n${a.toolName}`, `${b.filePath}\n${b.toolName}`];
  return left < right ? -1 : Number(left > right);
}
