import type { Compaction, PrLink, SessionFacts, SubagentFacts, Turn } from "../../domain.ts";
import type { ExportStore } from "../store.ts";
import type { ExportedSession, ImportDecision, WriteBatch } from "../stored.ts";
import { exportedTurns, type TurnDetails } from "../turn-rows.ts";
import type { Connection } from "./connection/connection.ts";
import { turnCondition } from "./filter.ts";
import { isForgotten } from "./forget/tombstones.ts";
import { storedTurns } from "./turns/columns.ts";
import { UUID_KEY } from "./write/facts.ts";

export function exportStore(connection: Connection): ExportStore {
  return {
    async sessionIds(filter) {
      const turns = turnCondition(filter);
      return connection.column<string>(
        `SELECT t.session_id AS id FROM turns t WHERE ${turns.sql("t.id")}
           GROUP BY t.session_id ORDER BY min(coalesce(t.created_at, '')), t.session_id`,
        ...turns.params,
      );
    },
    session: async (sessionId) => connection.snapshot(() => session(connection, sessionId)),
    async turnIds(sessionId, filter) {
      const turns = turnCondition(filter);
      return connection.column<number>(
        `SELECT t.id FROM turns t WHERE t.session_id = ? AND ${turns.sql("t.id")}
           ORDER BY t.created_at IS NULL, t.created_at, t.line_index, t.id`,
        sessionId,
        ...turns.params,
      );
    },
    turns: async (turnIds) =>
      connection.snapshot(() =>
        exportedTurns(
          storedTurns(connection, turnIds),
          connection.all<TurnDetails>(DETAILS, JSON.stringify(turnIds)),
        ),
      ),
  };
}

function session(connection: Connection, sessionId: string): ExportedSession | null {
  const row = connection.get<Omit<SessionFacts, "automated"> & { automated: number }>(
    `SELECT session_id AS sessionId, client, project_dir AS projectDir, title, title_source AS titleSource,
       nullif(first_prompt, '') AS firstPrompt, automated, branch, started_at AS startedAt, ended_at AS endedAt
     FROM sessions WHERE session_id = ?`,
    sessionId,
  );
  if (row === null) return null;
  return {
    facts: { ...row, automated: row.automated !== 0 },
    subagents: connection.all<SubagentFacts>(
      `SELECT session_id AS sessionId, agent_id AS agentId, agent_type AS agentType, task
       FROM subagent_sessions WHERE session_id = ? ORDER BY agent_id`,
      sessionId,
    ),
    prLinks: connection.all<PrLink>(
      `SELECT session_id AS sessionId, pr_number AS prNumber, pr_url AS prUrl, pr_repository AS prRepository,
         timestamp FROM pr_links WHERE session_id = ? ORDER BY pr_url`,
      sessionId,
    ),
    compactions: connection.all<Compaction>(
      `SELECT session_id AS sessionId, line_index AS lineIndex, trigger, pre_tokens AS preTokens, timestamp
       FROM compactions WHERE session_id = ?1 AND NOT provisional AND (source_id IS NULL OR source_id =
         (SELECT min(source_id) FROM compactions WHERE session_id = ?1)) ORDER BY line_index`,
      sessionId,
    ),
  };
}

/** SQL of an entry's key. A uuid is stored as 16 bytes; other texts are stored unchanged. */
const ENTRY_KEY = "CASE WHEN typeof(e.uuid) = 'blob' THEN lower(hex(e.uuid)) ELSE e.uuid END";

/** SQL of the details of turns. */
const DETAILS = `WITH wanted AS (SELECT t.* FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value),
    firsts AS (SELECT session_id, agent_id, min(source_id) AS source_id FROM turns
      WHERE session_id IN (SELECT session_id FROM wanted) AND line_index IS NOT NULL GROUP BY 1, 2)
  SELECT t.id, t.source_id IS NULL OR t.source_id = f.source_id AS inFirstFile, t.prompt_uuid AS promptUuid,
    (SELECT json_group_array(${ENTRY_KEY}) FROM entries e WHERE e.turn_id = t.id) AS entryKeys,
    (SELECT json_group_array(json_object('filePath', m.file_path, 'toolName', m.tool_name))
      FROM file_mentions m WHERE m.turn_id = t.id) AS mentions,
    (SELECT json_group_array(json_object('hash', k.hash, 'message', k.message))
      FROM commits k WHERE k.turn_id = t.id) AS commits,
    (SELECT json_group_array(json_object('kind', b.kind, 'time', b.time))
      FROM turn_marks b WHERE b.turn_id = t.id) AS marks
  FROM wanted t LEFT JOIN firsts f ON f.session_id = t.session_id AND f.agent_id IS t.agent_id`;

/** Removes data from an imported batch that would overwrite locally ingested data. Returns other batches unchanged. */
export function withoutLocalData(connection: Connection, batch: WriteBatch): WriteBatch {
  const { foreignOrigin } = batch;
  if (foreignOrigin === undefined) return batch;
  const isForeign = ({ sessionId }: { sessionId: string }) => !isOwnSession(connection, sessionId);
  return {
    ...batch,
    sessions: batch.sessions.filter(isForeign),
    subagents: batch.subagents.filter(isForeign),
    turns: batch.turns.filter(({ turn }) =>
      ["new", "update"].includes(decideImport(connection, turn, foreignOrigin)),
    ),
    copies: [],
    prLinks: batch.prLinks.filter(isForeign),
    compactions: batch.compactions.filter(isForeign),
  };
}

/** Returns the fate of an imported turn. */
export function decideImport(connection: Connection, turn: Turn, foreignOrigin: string): ImportDecision {
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

/** Tells whether a session has a transcript or turns of the user. An import brings only turns into such a session. */
export function isOwnSession(connection: Connection, sessionId: string): boolean {
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

/** Returns the stored turns that contain an entry of this one or, without uuids, those at its place or with its text. */
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
