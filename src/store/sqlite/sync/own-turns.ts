import type { Commit, PrLink, SessionFacts } from "../../../domain.ts";
import { turnKey } from "../../identity.ts";
import type { Exclusions } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { PROMPT_ONLY } from "../turns/columns.ts";
import type { OwnTurn } from "./rules.ts";

/** The recipients of shared turns: a team, or the user's other devices through a folder. */
export type Audience = "team" | "folder";

type Row = Omit<OwnTurn, "key" | "isShared" | "isUnshared" | "wasShared" | "mentions"> & {
  turnKey: Uint8Array | null;
  changeKey: Uint8Array | null;
  mentions: string;
};

const MARKED = (kinds: string) =>
  `EXISTS (SELECT 1 FROM turn_marks m WHERE m.turn_id = t.id AND m.kind IN (${kinds}))`;

/**
 * SQL that tells whether a turn `t` may still grow: it is the last one of a session that has not ended, with activity since
 * `$openSince` (ISO 8601).
 */
export const IS_OPEN = `(t.provisional <> 0 AND coalesce(t.ended_at, t.created_at, $openSince) >= $openSince
  AND NOT EXISTS (SELECT 1 FROM hook_calls h WHERE h.session_id = t.session_id AND h.event = 'session-end'
    AND h.time >= coalesce(t.ended_at, t.created_at)))`;

/** SQL by circle: the turns that this memory may share, and the key under which a turn was shared. */
const SHARED: Readonly<Record<Audience, { isOurs: string; key: string }>> = {
  // Only the device where a turn was made shares it with a team.
  team: {
    isOurs: "t.id NOT IN (SELECT f.turn_id FROM folder_turns f)",
    key: "(SELECT c.turn_key FROM team_changes c WHERE c.turn_id = t.id AND c.kind = 'put' LIMIT 1)",
  },
  folder: {
    isOurs: "t.id NOT IN (SELECT f.turn_id FROM folder_turns f WHERE f.holder IS NOT NULL)",
    key: `unhex(coalesce((SELECT i.turn_key FROM folder_items i WHERE i.turn_id = t.id AND i.mark = ''),
      (SELECT f.turn_key FROM folder_turns f WHERE f.turn_id = t.id)))`,
  },
};

const ORDER = "t.created_at IS NULL, t.created_at, t.line_index, t.id";

/**
 * Returns those of the turns that are complete and the user's own, in the given order. `openSince` is the time from which
 * activity keeps a session open (ISO 8601); with null, `isOpen` is null.
 */
export function ownTurns(
  connection: Connection,
  turnIds: readonly number[],
  openSince: Exclusions["openSince"] | null,
  circle: Audience = "team",
): OwnTurn[] {
  const { isOurs, key: sharedKey } = SHARED[circle];
  return connection
    .all<Row>(
      `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, t.agent_id AS agentId, t.line_index AS lineIndex,
         t.role, ${IS_OPEN} AS isOpen, t.is_sidechain AS isSidechain, t.origin, t.foreign_origin AS foreignOrigin,
         t.created_at AS createdAt, t.ended_at AS endedAt, t.branch, t.prompt_uuid AS promptUuid, t.turn_key AS turnKey,
         ${sharedKey} AS changeKey,
         ${MARKED("'pin'")} AS isPinned, ${MARKED("'mute', 'undone'")} AS isMuted,
         EXISTS (SELECT 1 FROM answer_marks a WHERE a.turn_id = t.id AND a.kind = 'good') AS isGood,
         (SELECT json_group_array(json_object('filePath', m.file_path, 'toolName', m.tool_name))
            FROM file_mentions m WHERE m.turn_id = t.id) AS mentions
       FROM json_each($turnIds) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
       WHERE t.author IS NULL AND t.device_id IS NULL AND ${isOurs} AND NOT ${PROMPT_ONLY} ORDER BY j.key`,
      { turnIds: JSON.stringify(turnIds), openSince },
    )
    .map(({ turnKey: known, changeKey, mentions, ...row }) => {
      const teamKey = circle === "team" ? known : null;
      const key = changeKey ?? teamKey ?? turnKey(row);
      return {
        ...row,
        key,
        wasShared: teamKey !== null,
        isShared: changeKey !== null,
        isUnshared: isUnsharedKey(connection, key, circle),
        mentions: JSON.parse(mentions),
      };
    });
}

function isUnsharedKey(connection: Connection, key: Uint8Array, circle: Audience): boolean {
  if (circle === "team")
    return connection.get("SELECT 1 FROM team_unshared WHERE turn_key = ?", key) !== null;
  const hex = Buffer.from(key).toString("hex");
  return connection.get("SELECT 1 FROM folder_gone WHERE turn_key = ?", hex) !== null;
}

/** Returns ids of the user's own turns after an id. */
export function ownTurnIds(connection: Connection, after: number, limit: number): number[] {
  return connection.column<number>(
    "SELECT id FROM turns WHERE id > ? AND author IS NULL AND device_id IS NULL ORDER BY id LIMIT ?",
    after,
    limit,
  );
}

/** Returns the turn that the forward context of a turn may quote; null when there is none. */
export function nextTurnId(connection: Connection, turn: OwnTurn): number | null {
  const row = connection.get<{ id: number }>(
    `SELECT t.id FROM turns t WHERE t.session_id = $sessionId AND t.agent_id IS $agentId AND t.author IS NULL
       AND t.id <> $turnId AND t.created_at >= $createdAt AND (t.created_at > $createdAt OR t.id > $turnId)
     ORDER BY ${ORDER} LIMIT 1`,
    {
      sessionId: turn.sessionId,
      agentId: turn.agentId,
      turnId: turn.turnId,
      createdAt: turn.createdAt,
    },
  );
  return row?.id ?? null;
}

/** Returns the first turn of a session's main conversation. */
export function firstTurnId(connection: Connection, sessionId: string): number | null {
  const row = connection.get<{ id: number }>(
    `SELECT t.id FROM turns t WHERE t.session_id = ? AND t.agent_id IS NULL AND t.author IS NULL ORDER BY ${ORDER} LIMIT 1`,
    sessionId,
  );
  return row?.id ?? null;
}

interface SessionRow extends Omit<SessionFacts, "sessionId" | "projectDir" | "automated"> {
  client: string;
  automated: number;
  /** Positive when a turn of the session was unshared, because its title may reveal the turn. */
  lostTurns: number;
}

export function sessionRow(connection: Connection, sessionId: string): SessionRow | null {
  return connection.get<SessionRow>(
    `SELECT s.client, s.automated, s.branch, s.started_at AS startedAt, s.ended_at AS endedAt, s.title,
       s.title_source AS titleSource, nullif(s.first_prompt, '') AS firstPrompt,
       EXISTS (SELECT 1 FROM team_changes c JOIN turns t ON t.id = c.turn_id
         WHERE c.kind = 'remove' AND t.session_id = s.session_id) AS lostTurns
     FROM sessions s WHERE s.session_id = ?`,
    sessionId,
  );
}

export function readLinks(connection: Connection, sessionId: string): PrLink[] {
  return connection.all<PrLink>(
    `SELECT session_id AS sessionId, pr_number AS prNumber, pr_url AS prUrl, pr_repository AS prRepository, timestamp
     FROM pr_links WHERE session_id = ? ORDER BY pr_url`,
    sessionId,
  );
}

export function readCommits(connection: Connection, turnId: number): Commit[] {
  return connection.all<Commit>("SELECT hash, message FROM commits WHERE turn_id = ? ORDER BY hash", turnId);
}

export function readSubagent(connection: Connection, sessionId: string, agentId: string | null) {
  if (agentId === null) return null;
  return connection.get<{ agentType: string | null; task: string | null }>(
    "SELECT agent_type AS agentType, task FROM subagent_sessions WHERE session_id = ? AND agent_id = ?",
    sessionId,
    agentId,
  );
}
