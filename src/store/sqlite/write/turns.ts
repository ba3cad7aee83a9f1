import { basename } from "node:path";
import type { Turn } from "../../../domain.ts";
import type { Clean, CleanString } from "../../../redact/gate.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { writeParts } from "../turns/columns.ts";
import { UUID_KEY } from "./facts.ts";
import { clearLine, EXISTING_COLUMNS, type ExistingTurn } from "./release.ts";

/** A transcript that turns are read from. */
export interface TurnSource {
  id: number;
  path: string;
}

export interface PlacedTurn {
  id: number;
  inserted: boolean;
  textChanged: boolean;
  /** True when the stored turn was kept because the transcript lost a part of it. */
  kept: boolean;
}

/**
 * Inserts a turn, or updates the stored turn with the same prompt or, failing that, at the same place. Leaves its text to
 * `writeText`.
 */
export function placeTurn(
  connection: Connection,
  source: TurnSource,
  turn: Clean<Turn>,
  batch: Clean<WriteBatch>,
): PlacedTurn {
  const occupant = occupantOf(connection, source, turn);
  const same =
    samePrompt(connection, turn) ??
    (occupant !== null && mayBecome(occupant, turn) ? occupant : sameText(connection, source, turn));
  if (occupant !== null && occupant.id !== same?.id) clearLine(connection, occupant.id);
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
function occupantOf(connection: Connection, source: TurnSource, turn: Clean<Turn>): ExistingTurn | null {
  if (turn.lineIndex < 0) return null;
  return connection.get<ExistingTurn>(
    `${EXISTING_COLUMNS} WHERE session_id = $sessionId AND line_index = $lineIndex AND coalesce(agent_id, '') = $agent
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

function putBack(connection: Connection, id: number, source: TurnSource, turn: Clean<Turn>): void {
  connection.run(
    `UPDATE turns SET line_index = $lineIndex, source_id = $sourceId, provisional = $provisional WHERE id = $id`,
    { id, lineIndex: lineOf(turn), sourceId: source.id, provisional: turn.provisional },
  );
}

/**
 * Tells whether the stored turn has all entries of this turn and more, which no other turn has. The file was then cut off or is
 * an older copy, and the stored turn is kept.
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

function samePrompt(connection: Connection, turn: Clean<Turn>): ExistingTurn | null {
  if (turn.promptUuid === null) return null;
  return connection.get<ExistingTurn>(
    `${EXISTING_COLUMNS} WHERE prompt_uuid = ? AND session_id = ? AND coalesce(agent_id, '') = ? AND author IS NULL
       ORDER BY +line_index DESC`,
    turn.promptUuid,
    turn.sessionId,
    turn.agentId ?? "",
  );
}

// Without a prompt uuid, a turn that lost its line or its file is recognised by its text.
function sameText(connection: Connection, source: TurnSource, turn: Clean<Turn>): ExistingTurn | null {
  if (turn.promptUuid !== null) return null;
  return connection.get<ExistingTurn>(
    `${EXISTING_COLUMNS} WHERE (source_id = $sourceId AND line_index IS NULL OR source_id IS NULL) AND prompt_uuid IS NULL
       AND full_text = $fullText AND session_id = $sessionId AND coalesce(agent_id, '') = $agent AND author IS NULL
     ORDER BY id`,
    { sourceId: source.id, fullText: turn.text, sessionId: turn.sessionId, agent: turn.agentId ?? "" },
  );
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
  source: TurnSource,
  turn: Clean<Turn>,
  foreignOrigin: CleanString | null,
): void {
  connection.run("DELETE FROM folder_turns WHERE turn_id = ?", id);
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
 * Stores the text of a turn. Must run after its chunks are written: for each chunk, the database reads the turn's time, which
 * comes after the text in the row, and would read through a long text each time.
 */
export function writeText(connection: Connection, id: number, text: CleanString): void {
  connection.run("UPDATE turns SET full_text = ? WHERE id = ?", text, id);
}

/** Tells whether a file is the session's own: `<session>.jsonl`, or a file in the folder of its subagents. */
function isOwnFile(path: string, { sessionId, agentId }: Clean<Turn>): boolean {
  const name = basename(path.replaceAll("\\", "/")).replace(/\.jsonl$/, "");
  return name === sessionId || (agentId !== null && (name === `agent-${agentId}` || name === agentId));
}

/** Tells whether the turn at a place may be this one. With another prompt, it may only while its end was unknown. */
function mayBecome(existing: ExistingTurn, turn: Clean<Turn>): boolean {
  return existing.promptUuid === null || turn.promptUuid === null || existing.provisional !== 0;
}

/** Tells whether a stored turn was read from another file, or lost by its file. */
function isElsewhere(existing: ExistingTurn, source: TurnSource): boolean {
  return existing.lineIndex === null || existing.sourceId !== source.id;
}

/** Returns a turn's line index; null for an imported turn whose transcript no longer contained it. */
function lineOf(turn: Clean<Turn>): number | null {
  return turn.lineIndex < 0 ? null : turn.lineIndex;
}
