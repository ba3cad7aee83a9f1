import type {
  Commit,
  Compaction,
  FileMention,
  PrLink,
  SessionFacts,
  SubagentFacts,
  Turn,
} from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import { turnCondition } from "../filter.ts";
import type { ExportStore } from "../store.ts";
import { storedTurns } from "../turns/stored-turns.ts";
import { fateOf } from "./fate.ts";
import type { ExportedSession, ExportedTurn } from "./types.ts";

export function exportStore(connection: Connection): ExportStore {
  return {
    async sessionIds(filter) {
      const turns = turnCondition(filter);
      return connection
        .all<{ id: string }>(
          `SELECT t.session_id AS id FROM turns t WHERE ${turns.sql("t.id")}
           GROUP BY t.session_id ORDER BY min(coalesce(t.created_at, '')), t.session_id`,
          ...turns.params,
        )
        .map((row) => row.id);
    },
    session: async (sessionId) => connection.snapshot(() => session(connection, sessionId)),
    async turnIds(sessionId, filter) {
      const turns = turnCondition(filter);
      return connection
        .all<{ id: number }>(
          `SELECT t.id FROM turns t WHERE t.session_id = ? AND ${turns.sql("t.id")}
           ORDER BY t.created_at IS NULL, t.created_at, t.line_index, t.id`,
          sessionId,
          ...turns.params,
        )
        .map((row) => row.id);
    },
    turns: async (turnIds) => connection.snapshot(() => exportedTurns(connection, turnIds)),
    fates: async (turns, origin) =>
      connection.snapshot(() => turns.map((turn) => fateOf(connection, turn, origin))),
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

interface Details {
  id: number;
  inFirstFile: number;
  promptUuid: string | null;
  entryUuids: string;
  mentions: string;
  commits: string;
  marks: string;
}

/** A uuid is 16 bytes in the table; what came as another text is kept as it was. */
const UUID_TEXT = `CASE WHEN typeof(e.uuid) <> 'blob' THEN e.uuid WHEN length(e.uuid) <> 16 THEN lower(hex(e.uuid))
  ELSE lower(substr(hex(e.uuid), 1, 8) || '-' || substr(hex(e.uuid), 9, 4) || '-' || substr(hex(e.uuid), 13, 4)
    || '-' || substr(hex(e.uuid), 17, 4) || '-' || substr(hex(e.uuid), 21)) END`;

function exportedTurns(connection: Connection, turnIds: readonly number[]): ExportedTurn[] {
  const details = new Map(
    connection
      .all<Details>(
        `WITH wanted AS (SELECT t.* FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value),
           firsts AS (SELECT session_id, agent_id, min(source_id) AS source_id FROM turns
             WHERE session_id IN (SELECT session_id FROM wanted) AND line_index IS NOT NULL GROUP BY 1, 2)
         SELECT t.id, t.source_id IS NULL OR t.source_id = f.source_id AS inFirstFile, t.prompt_uuid AS promptUuid,
           (SELECT json_group_array(${UUID_TEXT}) FROM entries e WHERE e.turn_id = t.id) AS entryUuids,
           (SELECT json_group_array(json_object('filePath', m.file_path, 'toolName', m.tool_name))
             FROM file_mentions m WHERE m.turn_id = t.id) AS mentions,
           (SELECT json_group_array(json_object('hash', k.hash, 'message', k.message))
             FROM commits k WHERE k.turn_id = t.id) AS commits,
           (SELECT json_group_array(json_object('kind', b.kind, 'time', b.time))
             FROM turn_marks b WHERE b.turn_id = t.id) AS marks
         FROM wanted t LEFT JOIN firsts f ON f.session_id = t.session_id AND f.agent_id IS t.agent_id`,
        JSON.stringify(turnIds),
      )
      .map((row) => [row.id, row]),
  );
  return storedTurns(connection, turnIds).flatMap(({ sessionTitle: _, origin, ...stored }) => {
    const known = details.get(stored.turnId);
    if (known === undefined) return [];
    const mentions: FileMention[] = JSON.parse(known.mentions);
    const commits: Commit[] = JSON.parse(known.commits);
    const marks: ExportedTurn["marks"] = JSON.parse(known.marks);
    const entryUuids: string[] = JSON.parse(known.entryUuids);
    // A line of the second file of a session would stand for another one of the first.
    const lineIndex = known.inFirstFile ? stored.lineIndex : -1;
    const { promptUuid } = known;
    return [
      { ...stored, origin: originOf(origin), lineIndex, mentions, commits, marks, promptUuid, entryUuids },
    ];
  });
}

function originOf(origin: string): Turn["origin"] {
  return origin === "teammate" || origin === "automated" || origin === "subagent" ? origin : "human";
}
