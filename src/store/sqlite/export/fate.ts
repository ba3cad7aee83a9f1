import type { Turn } from "../../../domain.ts";
import type { ForeignFate, WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { isForgotten } from "../forget/tombstones.ts";
import { UUID_KEY } from "../write/facts.ts";

/** Returns a batch from elsewhere without what would touch what was ingested here; any other batch as it is. */
export function withoutOwn(connection: Connection, batch: WriteBatch): WriteBatch {
  const { foreignOrigin } = batch;
  if (foreignOrigin === undefined) return batch;
  const isForeign = ({ sessionId }: { sessionId: string }) => !isOwnSession(connection, sessionId);
  return {
    ...batch,
    sessions: batch.sessions.filter(isForeign),
    subagents: batch.subagents.filter(isForeign),
    turns: batch.turns.filter(({ turn }) =>
      ["new", "update"].includes(fateOf(connection, turn, foreignOrigin)),
    ),
    copies: [],
    prLinks: batch.prLinks.filter(isForeign),
    compactions: batch.compactions.filter(isForeign),
  };
}

/** Says what becomes of a turn from elsewhere. */
export function fateOf(connection: Connection, turn: Turn, foreignOrigin: string): ForeignFate {
  if (isForgotten(connection, turn)) return "forgotten";
  const holders = holdersOf(connection, turn);
  if (holders.some(({ origin }) => origin === null)) return "own";
  const [first] = holders;
  if (first === undefined) return "new";
  const isSame =
    holders.length === 1 &&
    first.promptUuid === turn.promptUuid &&
    first.sessionId === turn.sessionId &&
    first.origin === foreignOrigin;
  return isSame && turn.lineIndex >= 0 && first.text.length < turn.text.length ? "update" : "known";
}

function isOwnSession(connection: Connection, sessionId: string): boolean {
  const sql = `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND (s.transcript_path IS NOT NULL OR EXISTS
    (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.foreign_origin IS NULL))`;
  return connection.get(sql, sessionId) !== null;
}

interface Holder {
  id: number;
  sessionId: string;
  promptUuid: string | null;
  origin: string | null;
  text: string;
}

const HOLDER = `t.id, t.session_id AS sessionId, t.prompt_uuid AS promptUuid, t.foreign_origin AS origin,
  t.full_text AS text`;

/** The turns that have an entry of this one; where uuids do not tell, those at its place or of its text. */
function holdersOf(connection: Connection, turn: Turn): Holder[] {
  const uuids = [...turn.entryUuids, ...(turn.promptUuid === null ? [] : [turn.promptUuid])];
  const byEntry = connection.all<Holder>(
    `SELECT DISTINCT ${HOLDER} FROM json_each(?1) j CROSS JOIN entries e ON e.uuid = ${UUID_KEY}
       CROSS JOIN turns t ON t.id = e.turn_id
     UNION SELECT ${HOLDER} FROM turns t WHERE t.prompt_uuid = ?2`,
    JSON.stringify(uuids),
    turn.promptUuid,
  );
  if (byEntry.length > 0) return byEntry;
  return connection.all<Holder>(
    `SELECT ${HOLDER} FROM turns t WHERE t.session_id = ?1 AND coalesce(t.agent_id, '') = ?2
       AND (t.prompt_uuid IS NULL OR ?3 IS NULL)
       AND (t.line_index = ?4 OR t.full_text = ?5)`,
    turn.sessionId,
    turn.agentId ?? "",
    turn.promptUuid,
    turn.lineIndex,
    turn.text,
  );
}
