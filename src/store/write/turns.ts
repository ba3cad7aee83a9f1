import type { Turn } from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import { LINE_STRIDE } from "../turns/lines.ts";
import { writeParts } from "../turns/parts.ts";
import type { WriteBatch } from "../types.ts";
import { UUID_KEY } from "./details.ts";
import { setBoundary } from "./facts.ts";

export interface PlacedTurn {
  id: number;
  inserted: boolean;
  textChanged: boolean;
  /** The transcript lost a part of the turn, and it was left as it is. */
  kept: boolean;
}

interface Existing {
  id: number;
  sourceId: number | null;
  lineIndex: number;
  provisional: number;
  promptUuid: string | null;
  text: string;
}

const EXISTING = `SELECT id, source_id AS sourceId, line_index AS lineIndex, provisional, prompt_uuid AS promptUuid,
  full_text AS text FROM turns`;

/**
 * Takes all turns of the source off their lines; they stay stored, and are found again by their prompt. Boundaries
 * and copies that were read from it go: at the lines where they stood there is something else now.
 */
export function giveUpLines(connection: Connection, sourceId: number): void {
  connection.run(
    "UPDATE turns SET line_index = -id, provisional = 0 WHERE source_id = ? AND line_index >= 0",
    sourceId,
  );
  for (const { sessionId, base } of connection.all<{ sessionId: string; base: number }>(
    "SELECT session_id AS sessionId, line_base AS base FROM source_lines WHERE source_id = ? AND agent_id = ''",
    sourceId,
  )) {
    const place = [sessionId, base, base + LINE_STRIDE];
    connection.run(
      "DELETE FROM turn_copies WHERE session_id = ? AND line_index >= ? AND line_index < ?",
      ...place,
    );
    connection.run(
      "DELETE FROM compactions WHERE session_id = ? AND line_index >= ? AND line_index < ? AND NOT provisional",
      ...place,
    );
    setBoundary(connection, sessionId);
  }
}

/**
 * Takes those turns off their lines that were read from the part of the file that the batch covers, and are not in
 * the batch. A provisional one whose prompt is now inside another turn was only grouped otherwise, and goes.
 */
export function releaseMissing(
  connection: Connection,
  sourceId: number,
  batch: WriteBatch,
  baseOf: (sessionId: string, agentId: string | null) => number,
): void {
  const kept = new Set(batch.turns.map(({ turn }) => turn.promptUuid ?? placeKey(turn)));
  const regrouped = new Set(batch.turns.flatMap(({ turn }) => turn.entryUuids));
  const groups = new Map(batch.turns.map(({ turn }) => [`${turn.agentId ?? ""}\n${turn.sessionId}`, turn]));
  for (const { sessionId, agentId } of groups.values()) {
    const base = baseOf(sessionId, agentId);
    const first = Math.min(
      ...batch.turns
        .filter(({ turn }) => turn.sessionId === sessionId && turn.agentId === agentId)
        .map(({ turn }) => turn.lineIndex),
    );
    const rows = connection.all<Existing>(
      `${EXISTING} WHERE source_id = ? AND session_id = ? AND coalesce(agent_id, '') = ?
         AND line_index >= ? AND line_index < ?`,
      sourceId,
      sessionId,
      agentId ?? "",
      base + first,
      base + batch.source.lineIndex,
    );
    for (const row of rows) {
      const key = row.promptUuid ?? placeKey({ sessionId, agentId, lineIndex: row.lineIndex - base });
      if (kept.has(key)) continue;
      const moved = row.promptUuid === null || regrouped.has(row.promptUuid);
      if (row.provisional !== 0 && moved) connection.run("DELETE FROM turns WHERE id = ?", row.id);
      else release(connection, row.id);
    }
  }
}

/** Inserts the turn, or updates the one that it is: that of the same prompt, else that of the same place. */
export function placeTurn(
  connection: Connection,
  sourceId: number,
  turn: Turn,
  line: number,
  batch: WriteBatch,
): PlacedTurn {
  const occupant = connection.get<Existing>(
    `${EXISTING} WHERE session_id = ? AND line_index = ? AND coalesce(agent_id, '') = ?`,
    turn.sessionId,
    line,
    turn.agentId ?? "",
  );
  const same =
    samePrompt(connection, turn) ??
    (occupant !== null && mayBecome(occupant, turn) ? occupant : sameText(connection, sourceId, turn));
  if (occupant !== null && occupant.id !== same?.id) release(connection, occupant.id);
  if (
    same !== null &&
    (same.lineIndex < 0 || same.sourceId !== sourceId) &&
    hasMore(connection, same.id, turn, batch)
  ) {
    if (same.lineIndex < 0) putBack(connection, same.id, sourceId, turn, line);
    return { id: same.id, inserted: false, textChanged: false, kept: true };
  }
  const id = same === null ? insert(connection, turn, line) : same.id;
  update(connection, id, sourceId, turn, line, batch.foreignOrigin ?? null);
  writeParts(connection, id, turn);
  return { id, inserted: same === null, textChanged: same?.text !== turn.text, kept: false };
}

function putBack(connection: Connection, id: number, sourceId: number, turn: Turn, line: number): void {
  connection.run(
    "UPDATE turns SET line_index = ?, source_id = ?, provisional = ? WHERE id = ?",
    line,
    sourceId,
    turn.provisional,
    id,
  );
}

/**
 * Whether the stored turn has all entries of this one and others, which went to no other turn: so a file that was cut
 * off, or an older copy of it, takes nothing away.
 */
function hasMore(connection: Connection, id: number, turn: Turn, { turns }: WriteBatch): boolean {
  const stored =
    connection.get<{ n: number }>("SELECT count(*) AS n FROM entries WHERE turn_id = ?", id)?.n ?? 0;
  const uuids = new Set(turn.entryUuids);
  if (stored <= uuids.size) return false;
  const own = (of: Iterable<string>) =>
    connection.get<{ n: number }>(
      `SELECT count(DISTINCT e.uuid) AS n FROM json_each(?) j CROSS JOIN entries e ON e.uuid = ${UUID_KEY}
       WHERE e.turn_id = ?`,
      JSON.stringify([...of]),
      id,
    )?.n ?? 0;
  return own(uuids) === uuids.size && own(turns.flatMap((other) => other.turn.entryUuids)) === uuids.size;
}

function samePrompt(connection: Connection, turn: Turn): Existing | null {
  if (turn.promptUuid === null) return null;
  return connection.get<Existing>(
    `${EXISTING} WHERE prompt_uuid = ? AND session_id = ? AND coalesce(agent_id, '') = ? ORDER BY +line_index DESC`,
    turn.promptUuid,
    turn.sessionId,
    turn.agentId ?? "",
  );
}

// Without a prompt's uuid to go by, a turn that lost its line is known by its text.
function sameText(connection: Connection, sourceId: number, turn: Turn): Existing | null {
  if (turn.promptUuid !== null) return null;
  return connection.get<Existing>(
    `${EXISTING} WHERE source_id = ? AND line_index < 0 AND prompt_uuid IS NULL AND full_text = ?
       AND session_id = ? AND coalesce(agent_id, '') = ? ORDER BY id`,
    sourceId,
    turn.text,
    turn.sessionId,
    turn.agentId ?? "",
  );
}

function mayBecome(existing: Existing, turn: Turn): boolean {
  return existing.promptUuid === null || turn.promptUuid === null || existing.provisional !== 0;
}

function release(connection: Connection, id: number): void {
  connection.run("UPDATE turns SET line_index = -id, provisional = 0 WHERE id = ?", id);
}

function insert(connection: Connection, turn: Turn, line: number): number {
  return connection.run(
    `INSERT INTO turns (session_id, line_index, agent_id, role, origin, full_text, tool_summary)
     VALUES (?, ?, ?, '', '', '', '')`,
    turn.sessionId,
    line,
    turn.agentId,
  ).lastId;
}

function update(
  connection: Connection,
  id: number,
  sourceId: number,
  turn: Turn,
  line: number,
  foreignOrigin: string | null,
): void {
  connection.run(
    `UPDATE turns SET line_index = ?, source_id = ?, provisional = ?, role = ?, origin = ?, full_text = ?,
       tool_summary = ?, is_sidechain = ?, created_at = ?, ended_at = ?, branch = ?, cwd = ?, model = ?,
       client_version = ?, prompt_uuid = coalesce(?, prompt_uuid), foreign_origin = ? WHERE id = ?`,
    line,
    sourceId,
    turn.provisional,
    turn.role,
    turn.origin,
    turn.text,
    JSON.stringify(turn.toolSummary),
    turn.isSidechain,
    turn.createdAt,
    turn.endedAt,
    turn.branch,
    turn.cwd,
    turn.model,
    turn.clientVersion,
    turn.promptUuid,
    foreignOrigin,
    id,
  );
}

function placeKey(turn: { sessionId: string; agentId: string | null; lineIndex: number }): string {
  return `${turn.sessionId}\n${turn.agentId ?? ""}\n${turn.lineIndex}`;
}
