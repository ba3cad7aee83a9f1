import { NOTE } from "../../constants.ts";
import type { Cure } from "../../domain.ts";
import type { Clean } from "../../redact/gate.ts";
import type { Filter } from "../filter.ts";
import type { HeldBefore, RecallStore, StoredCure, TurnVector } from "../marks.ts";
import type { Connection } from "./connection/connection.ts";
import { turnCondition } from "./filter.ts";
import { fromBytes } from "./vectors/math.ts";
import { activeModel } from "./vectors/models.ts";

type VectorRow = Omit<TurnVector, "vector"> & { embedding: Uint8Array };

export function recallStore(connection: Connection): RecallStore {
  return {
    async latestTurns(sessionId, limit) {
      return connection.column<number>(LATEST, sessionId, limit);
    },
    async copiedTurns(sessionId, turnIds) {
      const rows = connection.column<number>(COPIED, sessionId, JSON.stringify(turnIds));
      return new Set(rows);
    },
    async turnsAfter(turnId, limit) {
      return connection.column<number>(AFTER, turnId, limit);
    },
    async turnsBefore(turnId, limit) {
      return connection.column<number>(BEFORE, turnId, limit);
    },
    async heldBefore(sessionId) {
      return connection.get<HeldBefore>(HELD_BEFORE, sessionId) ?? { sessions: 0, turns: 0, since: null };
    },
    cures: async (forms, filter, limit) => curesOf(connection, forms, filter, limit),
    async turnVectors(turnIds) {
      const model = activeModel(connection);
      if (model === null || turnIds.length === 0) return [];
      return connection
        .all<VectorRow>(VECTORS, JSON.stringify(turnIds), model.id)
        .map(({ embedding, ...chunk }) => ({ ...chunk, vector: fromBytes(embedding) }));
    },
  };
}

// What a fork copied from its parent comes before its own turns: it knows them.
const LATEST = `SELECT id FROM (
    SELECT id, line_index AS line, 0 AS isCopy FROM turns
      WHERE session_id = ?1 AND agent_id IS NULL AND foreign_origin IS NULL
    UNION ALL
    SELECT t.id, y.line_index, 1 FROM turn_copies y JOIN turns t ON t.id = y.turn_id
      WHERE y.session_id = ?1 AND t.session_id <> ?1 AND t.agent_id IS NULL AND t.foreign_origin IS NULL)
  GROUP BY id ORDER BY isCopy, line IS NULL, line DESC, id DESC LIMIT ?2`;

const COPIED = `SELECT DISTINCT y.turn_id AS id FROM json_each(?2) j
  CROSS JOIN turn_copies y ON y.turn_id = j.value AND y.session_id = ?1`;

// A colleague's turn may carry the id of another's session: it is no part of that conversation.
const AFTER = `SELECT t.id FROM turns at JOIN turns t ON t.session_id = at.session_id AND t.agent_id IS at.agent_id
    AND t.foreign_origin IS at.foreign_origin AND t.author IS at.author AND t.line_index > at.line_index
  WHERE at.id = ? ORDER BY t.line_index, t.id LIMIT ?`;

const BEFORE = `SELECT t.id FROM turns at JOIN turns t ON t.session_id = at.session_id AND t.agent_id IS at.agent_id
    AND t.foreign_origin IS at.foreign_origin AND t.author IS at.author AND t.line_index < at.line_index
  WHERE at.id = ? ORDER BY t.line_index DESC, t.id DESC LIMIT ?`;

const HELD_BEFORE = `SELECT count(*) AS sessions, coalesce(sum(turns), 0) AS turns, min(since) AS since FROM (
    SELECT (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turns,
      coalesce(s.started_at, (SELECT min(t.created_at) FROM turns t WHERE t.session_id = s.session_id)) AS since
    FROM sessions s WHERE s.client <> '${NOTE.client}' AND s.session_id <> ?)
  WHERE turns > 0`;

const VECTORS = `SELECT c.turn_id AS turnId, c.start, c."end", v.embedding
  FROM json_each(?) j CROSS JOIN chunks c ON c.turn_id = j.value
  CROSS JOIN chunk_vectors v ON v.chunk_id = c.id AND v.model_id = ? ORDER BY c.turn_id, c.chunk_index`;

/** Replaces what is known of a turn's cures. */
export function writeCures(connection: Connection, turnId: number, cures: readonly Clean<Cure>[]): void {
  connection.run("DELETE FROM cures WHERE turn_id = ?", turnId);
  for (const cure of cures) {
    const json = JSON.stringify(cure);
    const { lastId } = connection.run("INSERT INTO cures (turn_id, cure) VALUES (?, ?)", turnId, json);
    for (const { form } of cure.errors)
      connection.run(
        "INSERT OR IGNORE INTO cure_errors (error, cure_id) VALUES (?, ?)",
        hashOf(form),
        lastId,
      );
  }
}

/** Returns what is known of a turn's cures. */
export function curesIn(connection: Connection, turnId: number): Cure[] {
  return connection
    .all<{ cure: string }>("SELECT cure FROM cures WHERE turn_id = ? ORDER BY id", turnId)
    .map(({ cure }) => JSON.parse(cure));
}

/** Returns the cures of errors with one of these forms, in turns that fit, newest first. */
function curesOf(
  connection: Connection,
  forms: readonly string[],
  filter: Filter,
  limit: number,
): StoredCure[] {
  const fits = turnCondition(filter);
  const rows = connection.all<{ turnId: number; cure: string }>(
    `SELECT c.turn_id AS turnId, c.cure FROM cures c JOIN turns t ON t.id = c.turn_id
     WHERE c.id IN (SELECT e.cure_id FROM json_each(?) j CROSS JOIN cure_errors e ON e.error = j.value) AND ${fits.sql("t.id")}
     ORDER BY t.created_at DESC, c.id DESC LIMIT ?`,
    JSON.stringify(forms.map(hashOf)),
    ...fits.params,
    limit,
  );
  return rows.map(({ turnId, cure }) => ({ turnId, cure: JSON.parse(cure) }));
}

/** A collision only makes a row more to look at. */
function hashOf(form: string): number {
  return Bun.hash.xxHash32(form);
}
