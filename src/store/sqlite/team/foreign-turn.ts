import { clean, cleaned } from "../../../redact/gate.ts";
import { withoutForward } from "../../../turn/cut.ts";
import { mapText } from "../../../turn/map.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { TeamTurn } from "../../contract/types/team.ts";
import { decodeParts } from "../../shared/encoded-parts.ts";
import type { Connection } from "../connection/connection.ts";
import { markUncompacted } from "../forget/compact.ts";
import { PARTS, writeParts } from "../turns/parts.ts";
import { insertVector } from "../vectors/save-vector.ts";
import { writeChunks } from "../write/chunks.ts";
import { writeMention } from "../write/details.ts";
import { cleanChunks } from "../write/gate.ts";

/** How imported rows name the team as their origin. */
const TEAM_ORIGIN = "team";

/** Whose turn it is: `author` is null for one's own of another device. */
export interface Ownership {
  author: string | null;
  deviceId: string;
  turnKey: Uint8Array;
}

interface Known {
  id: number;
  text: string;
}

/** Returns a turn that was pulled before; null when there is none. */
export function pulledTurn(connection: Connection, author: string | null, turnKey: Uint8Array): Known | null {
  return connection.get<Known>(
    `SELECT id, full_text AS text FROM turns WHERE coalesce(author, '') = ? AND turn_key = ? AND device_id IS NOT NULL`,
    author ?? "",
    turnKey,
  );
}

/** Returns the turn that the memory has from a transcript of its own; null when it has none. */
export function turnMadeHere(connection: Connection, turn: TeamTurn, turnKey: Uint8Array): OwnText | null {
  const own = "t.author IS NULL AND t.device_id IS NULL";
  const columns = `t.id, t.full_text AS text, ${PARTS} AS parts`;
  const shared = connection.get<OwnRow>(
    `SELECT ${columns} FROM team_changes c JOIN turns t ON t.id = c.turn_id
     WHERE c.turn_key = ? AND c.kind = 'put' AND c.target IS NULL AND ${own}`,
    turnKey,
  );
  const facts = { sessionId: turn.session.sessionId, agent: turn.agentId ?? "" };
  const same = "t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent";
  const row =
    shared ??
    (turn.promptUuid === null
      ? connection.get<OwnRow>(
          `SELECT ${columns} FROM turns t WHERE t.created_at IS $createdAt AND t.full_text = $text AND ${same} AND ${own}`,
          { ...facts, createdAt: turn.createdAt, text: turn.text },
        )
      : connection.get<OwnRow>(
          `SELECT ${columns} FROM turns t WHERE t.prompt_uuid = $promptUuid AND ${same} AND ${own}`,
          { ...facts, promptUuid: turn.promptUuid },
        ));
  return row && { id: row.id, text: row.text, parts: decodeParts(row.parts) };
}

interface OwnRow {
  id: number;
  text: string;
  parts: string | null;
}

interface OwnText extends TurnText {
  id: number;
}

/**
 * Settles which of two copies of one's own turn counts, the one here or that of another device: the longer one, as the other
 * was read earlier. Returns true when the turn is to be stored as the other device's.
 */
export function yields(
  connection: Connection,
  here: OwnText,
  there: TeamTurn,
  { deviceId, turnKey }: Ownership,
): boolean {
  const [mine, theirs] = [withoutForward(here).text, withoutForward(there).text];
  // The team has this turn of the user's, whichever copy counts: it can be taken back from here.
  connection.run(
    "UPDATE OR IGNORE turns SET turn_key = ? WHERE id = ? AND turn_key IS NULL",
    turnKey,
    here.id,
  );
  if (mine === theirs) return false;
  const changes = connection.run(
    "UPDATE team_changes SET kind = 'void' WHERE turn_key = ? AND kind = 'put' AND target IS NULL",
    turnKey,
  ).changes;
  if (mine.length > theirs.length || (mine.length === theirs.length && mine > theirs)) {
    // It is sent again, in place of the other.
    if (changes > 0) connection.run("INSERT OR IGNORE INTO team_dirty (turn_id) VALUES (?)", here.id);
    return false;
  }
  connection.run(
    "UPDATE turns SET device_id = $deviceId, turn_key = $turnKey, source_id = NULL, line_index = NULL WHERE id = $id",
    { id: here.id, deviceId, turnKey },
  );
  return true;
}

/** Stores a pulled turn with all that is derived from it. Returns whether it was new. */
export function writeForeignTurn(
  connection: Connection,
  turn: TeamTurn,
  ownership: Ownership,
  models: ReadonlyMap<string, LocalModel>,
): boolean {
  const known = pulledTurn(connection, ownership.author, ownership.turnKey);
  const rest = cleaned({
    session: turn.session,
    agentId: turn.agentId,
    subagent: turn.subagent,
    toolSummary: turn.toolSummary,
    mentions: turn.mentions,
    commits: turn.commits,
    branch: turn.branch,
    model: turn.model,
    clientVersion: turn.clientVersion,
    promptUuid: turn.promptUuid,
  });
  const mapped = mapText(turn, clean, rest.toolSummary);
  const text = clean(mapped.text);
  writeSession(connection, turn, ownership);
  const id =
    known?.id ??
    connection.run(
      "INSERT INTO turns (session_id, agent_id, role, origin, full_text, tool_summary, author, device_id, turn_key) VALUES (?, ?, '', '', '', '', ?, ?, ?)",
      rest.session.sessionId,
      rest.agentId,
      ownership.author,
      ownership.deviceId,
      ownership.turnKey,
    ).lastId;
  connection.run(
    `UPDATE turns SET role = 'turn', origin = $origin, full_text = $text, tool_summary = $toolSummary,
       is_sidechain = $isSidechain, created_at = $createdAt, ended_at = $endedAt, branch = $branch, model = $model,
       client_version = $clientVersion, prompt_uuid = $promptUuid, foreign_origin = $foreignOrigin, device_id = $deviceId
     WHERE id = $id`,
    {
      id,
      origin: turn.origin,
      text,
      toolSummary: JSON.stringify(rest.toolSummary),
      isSidechain: turn.isSidechain,
      createdAt: turn.createdAt,
      endedAt: turn.endedAt,
      branch: rest.branch,
      model: rest.model,
      clientVersion: rest.clientVersion,
      promptUuid: rest.promptUuid,
      foreignOrigin: ownership.author === null ? null : TEAM_ORIGIN,
      deviceId: ownership.deviceId,
    },
  );
  writeParts(connection, id, {
    parts: mapped.parts,
    failures: text === turn.text ? turn.failures : [],
  });
  const model = modelOf(turn, models);
  writeChunks(connection, {
    turnId: id,
    text,
    chunks: cleanChunks(turn.text, text, turn.chunks),
    textChanged: known?.text !== text,
    bringsVectors: model !== null && text === turn.text,
  });
  // The text before may have held what its author took out.
  if (known !== null && known.text !== text) markUncompacted(connection);
  connection.run("DELETE FROM file_mentions WHERE turn_id = ?", id);
  for (const mention of rest.mentions) writeMention(connection, id, mention);
  connection.run("DELETE FROM commits WHERE turn_id = ?", id);
  for (const { hash, message } of rest.commits)
    connection.run(
      "INSERT OR IGNORE INTO commits (turn_id, hash, message) VALUES (?, ?, ?)",
      id,
      hash.toLowerCase(),
      message,
    );
  connection.run(
    "INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)",
    rest.session.sessionId,
  );
  if (model !== null && text === turn.text) writeVectors(connection, id, turn, model);
  return known === null;
}

interface LocalModel {
  id: number;
  dimensions: number;
}

/** Returns the model here that made the turn's vectors; null when it is another one, or there are none. */
function modelOf({ vectorModel }: TeamTurn, models: ReadonlyMap<string, LocalModel>): LocalModel | null {
  const model = vectorModel === null ? undefined : models.get(vectorModel.id);
  return model === undefined || model.dimensions !== vectorModel?.dimensions ? null : model;
}

function writeVectors(connection: Connection, turnId: number, { chunks }: TeamTurn, model: LocalModel): void {
  const rows = connection.all<{ id: number; chunkIndex: number }>(
    `SELECT c.id, c.chunk_index AS chunkIndex FROM chunks c WHERE c.turn_id = ?1 AND NOT EXISTS
       (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = c.id AND v.model_id = ?2)`,
    turnId,
    model.id,
  );
  const vectors = new Map(chunks.map(({ chunkIndex, vector }) => [chunkIndex, vector]));
  for (const { id, chunkIndex } of rows) {
    const vector = vectors.get(chunkIndex);
    if (vector != null && vector.length === model.dimensions && vector.every(Number.isFinite))
      insertVector(connection, { modelId: model.id, chunkId: id, turnId }, vector);
  }
}

// A session of one's own keeps what its transcript says, and a colleague's what came with its first turn: nobody else
// gives it a name.
function writeSession(connection: Connection, turn: TeamTurn, { author }: Ownership): void {
  const session = cleaned(turn.session);
  const { opening, sessionId } = session;
  connection.run("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", sessionId);
  const isOther = connection.get(
    `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND (s.transcript_path IS NOT NULL OR EXISTS
       (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.author IS NULL AND t.device_id IS NULL)
       OR (SELECT coalesce(t.author, '') FROM turns t WHERE t.session_id = ?1 ORDER BY t.id LIMIT 1) <> ?2)`,
    sessionId,
    author,
  );
  if (isOther !== null) return;
  connection.run(
    `UPDATE sessions SET client = $client, automated = $automated, branch = coalesce($branch, branch),
       started_at = min(coalesce(started_at, $startedAt), coalesce($startedAt, started_at)),
       ended_at = max(coalesce(ended_at, $endedAt), coalesce($endedAt, ended_at)) WHERE session_id = $sessionId`,
    {
      sessionId,
      client: session.client,
      automated: session.automated,
      branch: session.branch,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
    },
  );
  if (turn.subagent !== null && turn.agentId !== null)
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, agent_type, task) VALUES ($sessionId, $agentId, $agentType, $task)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET agent_type = excluded.agent_type, task = excluded.task`,
      { sessionId, ...cleaned({ agentId: turn.agentId, ...turn.subagent }) },
    );
  if (opening === null) return;
  connection.run(
    "UPDATE sessions SET title = $title, title_source = $titleSource, first_prompt = $firstPrompt WHERE session_id = $sessionId",
    {
      sessionId,
      title: opening.title,
      titleSource: opening.titleSource,
      firstPrompt: opening.firstPrompt,
    },
  );
  for (const link of opening.links)
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES ($sessionId, $prNumber, $prUrl, $prRepository, $timestamp)`,
      { ...link, sessionId },
    );
}
