import type { Turn } from "../../domain.ts";
import type { Clean, CleanString } from "../../redact/gate.ts";
import type { Connection } from "../connection/connection.ts";
import { promptMarks } from "../marks/carry.ts";
import type { PromptMark } from "../marks/types.ts";
import { writeParts } from "../turns/parts.ts";
import type { WriteBatch } from "../types.ts";
import { UUID_KEY } from "./details.ts";
import {
  coveredLines,
  type Existing,
  fates,
  isElsewhere,
  isOwnFile,
  lineOf,
  mayBecome,
  type PlacedTurn,
  type Source,
} from "./placing.ts";

const EXISTING = `SELECT id, source_id AS sourceId, line_index AS lineIndex, provisional, prompt_uuid AS promptUuid,
  full_text AS text FROM turns`;

/**
 * Removes the line indexes of all turns of a source. The turns stay stored, and are found again by their prompts.
 * Removes boundaries and copies that were read from the source, since their lines have other content now.
 */
export function giveUpLines(connection: Connection, sourceId: number): void {
  connection.run(
    "UPDATE turns SET line_index = NULL, provisional = 0 WHERE source_id = ? AND line_index IS NOT NULL",
    sourceId,
  );
  connection.run("DELETE FROM turn_copies WHERE source_id = ?", sourceId);
  connection.run("DELETE FROM compactions WHERE source_id = ? AND NOT provisional", sourceId);
}

/**
 * Removes the line indexes of turns that were read from the part of the file that the batch covers but are not in the
 * batch. Removes a provisional turn whose prompt is now inside another turn, and returns its marks, for `giveMarks`.
 */
export function releaseMissing(
  connection: Connection,
  sourceId: number,
  batch: Clean<WriteBatch>,
): readonly PromptMark[] {
  const lost: PromptMark[] = [];
  const fateOf = fates(batch);
  for (const { sessionId, agentId, from, to } of coveredLines(batch)) {
    const rows = connection.all<Existing>(
      `${EXISTING} WHERE source_id = $sourceId AND session_id = $sessionId AND agent_id IS $agentId
         AND line_index >= $from AND line_index < $to`,
      { sourceId, sessionId, agentId, from, to },
    );
    for (const row of rows) {
      const fate = fateOf(row, { sessionId, agentId });
      if (fate === "released") release(connection, row.id);
      if (fate !== "removed") continue;
      lost.push(...promptMarks(connection, row.id, row.promptUuid));
      connection.run("DELETE FROM turns WHERE id = ?", row.id);
    }
  }
  return lost;
}

/**
 * Inserts a turn, or updates the stored turn with the same prompt or, failing that, at the same place. Leaves its text to
 * `writeText`.
 */
export function placeTurn(
  connection: Connection,
  source: Source,
  turn: Clean<Turn>,
  batch: Clean<WriteBatch>,
): PlacedTurn {
  const occupant = occupantOf(connection, source, turn);
  const same =
    samePrompt(connection, turn) ??
    (occupant !== null && mayBecome(occupant, turn) ? occupant : sameText(connection, source, turn));
  if (occupant !== null && occupant.id !== same?.id) release(connection, occupant.id);
  if (same !== null && isElsewhere(same, source) && hasMore(connection, same.id, turn, batch)) {
    if (same.lineIndex === null) putBack(connection, same.id, source, turn);
    return { id: same.id, inserted: false, textChanged: false, kept: true };
  }
  const id = same?.id ?? insert(connection, turn);
  update(connection, id, source, turn, batch.foreignOrigin ?? null);
  writeParts(connection, id, turn);
  return { id, inserted: same === null, textChanged: same?.text !== turn.text, kept: false };
}

/** Returns the stored turn at the same place. In the session's own file, that may be a turn without a known source. */
function occupantOf(connection: Connection, source: Source, turn: Clean<Turn>): Existing | null {
  if (turn.lineIndex < 0) return null;
  return connection.get<Existing>(
    `${EXISTING} WHERE session_id = $sessionId AND line_index = $lineIndex AND coalesce(agent_id, '') = $agent
       AND (source_id = $sourceId OR $isOwnFile AND source_id IS NULL) ORDER BY source_id IS NULL`,
    {
      sessionId: turn.sessionId,
      lineIndex: turn.lineIndex,
      agent: turn.agentId ?? "",
      sourceId: source.id,
      isOwnFile: isOwnFile(source.path, turn),
    },
  );
}

function putBack(connection: Connection, id: number, source: Source, turn: Clean<Turn>): void {
  connection.run(
    `UPDATE turns SET line_index = $lineIndex, source_id = $sourceId, provisional = $provisional WHERE id = $id`,
    { id, lineIndex: lineOf(turn), sourceId: source.id, provisional: turn.provisional },
  );
}

/**
 * Whether the stored turn has all entries of this turn and more, and no other turn has those. Then the file was cut
 * off or is an older copy, and the stored turn is kept.
 */
function hasMore(
  connection: Connection,
  id: number,
  turn: Clean<Turn>,
  { turns }: Clean<WriteBatch>,
): boolean {
  const stored =
    connection.get<{ n: number }>("SELECT count(*) AS n FROM entries WHERE turn_id = ?", id)?.n ?? 0;
  const uuids = new Set(turn.entryUuids);
  if (stored <= uuids.size) return false;
  const countOwned = (of: Iterable<string>) =>
    connection.get<{ n: number }>(
      `SELECT count(DISTINCT e.uuid) AS n FROM json_each(?) j CROSS JOIN entries e ON e.uuid = ${UUID_KEY}
       WHERE e.turn_id = ?`,
      JSON.stringify([...of]),
      id,
    )?.n ?? 0;
  return (
    countOwned(uuids) === uuids.size &&
    countOwned(turns.flatMap((other) => other.turn.entryUuids)) === uuids.size
  );
}

function samePrompt(connection: Connection, turn: Clean<Turn>): Existing | null {
  if (turn.promptUuid === null) return null;
  return connection.get<Existing>(
    `${EXISTING} WHERE prompt_uuid = ? AND session_id = ? AND coalesce(agent_id, '') = ? AND author IS NULL
       ORDER BY +line_index DESC`,
    turn.promptUuid,
    turn.sessionId,
    turn.agentId ?? "",
  );
}

// Without the uuid of its prompt, a turn that lost its line or its file is recognised by its text.
function sameText(connection: Connection, source: Source, turn: Clean<Turn>): Existing | null {
  if (turn.promptUuid !== null) return null;
  return connection.get<Existing>(
    `${EXISTING} WHERE (source_id = $sourceId AND line_index IS NULL OR source_id IS NULL) AND prompt_uuid IS NULL
       AND full_text = $fullText AND session_id = $sessionId AND coalesce(agent_id, '') = $agent AND author IS NULL
     ORDER BY id`,
    { sourceId: source.id, fullText: turn.text, sessionId: turn.sessionId, agent: turn.agentId ?? "" },
  );
}

function release(connection: Connection, id: number): void {
  connection.run("UPDATE turns SET line_index = NULL, provisional = 0 WHERE id = ?", id);
}

function insert(connection: Connection, turn: Clean<Turn>): number {
  return connection.run(
    `INSERT INTO turns (session_id, agent_id, role, origin, full_text, tool_summary) VALUES (?, ?, '', '', '', '')`,
    turn.sessionId,
    turn.agentId,
  ).lastId;
}

function update(
  connection: Connection,
  id: number,
  source: Source,
  turn: Clean<Turn>,
  foreignOrigin: CleanString | null,
): void {
  connection.run(
    `UPDATE turns SET line_index = $lineIndex, source_id = $sourceId, provisional = $provisional, role = $role,
       origin = $origin, tool_summary = $toolSummary, is_sidechain = $isSidechain,
       created_at = $createdAt, ended_at = $endedAt, branch = $branch, cwd = $cwd, model = $model,
       client_version = $clientVersion, prompt_uuid = coalesce($promptUuid, prompt_uuid),
       foreign_origin = $foreignOrigin, device_id = NULL WHERE id = $id`,
    {
      id,
      lineIndex: lineOf(turn),
      sourceId: source.id,
      provisional: turn.provisional,
      role: turn.role,
      origin: turn.origin,
      toolSummary: JSON.stringify(turn.toolSummary),
      isSidechain: turn.isSidechain,
      createdAt: turn.createdAt,
      endedAt: turn.endedAt,
      branch: turn.branch,
      cwd: turn.cwd,
      model: turn.model,
      clientVersion: turn.clientVersion,
      promptUuid: turn.promptUuid,
      foreignOrigin,
    },
  );
}

/**
 * Stores the text of a turn. Called after its chunks were written: for each of them the database reads the turn's time,
 * which stands behind the text in the row, and would read through all of a long one.
 */
export function writeText(connection: Connection, id: number, text: CleanString): void {
  connection.run("UPDATE turns SET full_text = ? WHERE id = ?", text, id);
}
