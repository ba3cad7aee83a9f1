import { type Clean, type CleanString, clean, cleaned } from "../../../redact/gate.ts";
import { mapText } from "../../../turn/map.ts";
import type { TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { markUncompacted } from "../forget/compact.ts";
import { writeParts } from "../turns/columns.ts";
import { insertVector } from "../vectors/save-vector.ts";
import { writeChunks } from "../write/chunks.ts";
import { claimSessions, writeMention } from "../write/details.ts";
import { cleanChunks } from "../write/gate.ts";
import { KeywordQueue } from "../write/keywords.ts";

/** How imported rows name the team as their origin. */
const TEAM_ORIGIN = "team";

/** Whose turn it is: `author` is null for one's own of another device. */
export interface Ownership {
  author: string | null;
  /** The device of the team that pushed it. */
  deviceId: string;
  turnKey: Uint8Array;
}

/** The same, with null for a turn that no team brought. */
type Origin = Pick<Ownership, "author"> & { [Key in "deviceId" | "turnKey"]: Ownership[Key] | null };

/** A stored turn. */
interface Known {
  id: number;
  text: string;
}

/** What turns that arrive together share. */
export interface Arriving {
  models: ReadonlyMap<string, LocalModel>;
  /** The caller writes them after all turns. */
  keywords: KeywordQueue;
}

export function arrivingTogether(connection: Connection): Arriving {
  const rows = connection.all<{ name: string; id: number; dimensions: number }>(
    "SELECT name, id, dimensions FROM models",
  );
  const models = new Map(rows.map(({ name, ...model }) => [name, model]));
  return { models, keywords: new KeywordQueue() };
}

type Details = Clean<ReturnType<typeof detailsOf>>;

/** Stores a turn that arrives, in place of the one that is known. Returns its id. */
export function writeArrived(
  connection: Connection,
  { turn, known, origin }: { turn: TeamTurn; known: Known | null; origin: Origin },
  { models, keywords }: Arriving,
): number {
  const details: Details = cleaned(detailsOf(turn));
  const { text, parts } = mapText(turn, clean, details.toolSummary);
  const isUnchanged = text === turn.text;
  writeSession(connection, turn, origin.author);
  const id = known?.id ?? insert(connection, details, origin);
  update(connection, id, { turn, text, details }, origin);
  writeParts(connection, id, { parts, failures: isUnchanged ? turn.failures : [] });
  const model = isUnchanged ? modelOf(turn, models) : null;
  writeChunks(connection, {
    turnId: id,
    text,
    parts,
    chunks: cleanChunks(turn.text, text, turn.chunks),
    textChanged: known?.text !== text,
    bringsVectors: model !== null,
    keywords,
  });
  // The text before may have held what its author took out.
  if (known !== null && known.text !== text) markUncompacted(connection);
  writeDetails(connection, id, details);
  if (model !== null) writeVectors(connection, id, turn, model);
  return id;
}

/** What a turn brings beside its text: a member may have written anything into it. */
function detailsOf(turn: TeamTurn) {
  const { session, agentId, subagent, toolSummary, mentions, commits } = turn;
  const { branch, model, clientVersion, promptUuid } = turn;
  return {
    session,
    agentId,
    subagent,
    toolSummary,
    mentions,
    commits,
    branch,
    model,
    clientVersion,
    promptUuid,
  };
}

function insert(
  connection: Connection,
  { session, agentId }: Details,
  { author, deviceId, turnKey }: Origin,
): number {
  return connection.run(
    `INSERT INTO turns (session_id, agent_id, role, origin, full_text, tool_summary, author, device_id, turn_key)
     VALUES (?, ?, '', '', '', '', ?, ?, ?)`,
    session.sessionId,
    agentId,
    author,
    deviceId,
    turnKey,
  ).lastId;
}

function update(
  connection: Connection,
  id: number,
  { turn, text, details }: { turn: TeamTurn; text: CleanString; details: Details },
  { author, deviceId }: Origin,
): void {
  connection.run(
    `UPDATE turns SET role = 'turn', origin = $origin, full_text = $text, tool_summary = $toolSummary,
       is_sidechain = $isSidechain, created_at = $createdAt, ended_at = $endedAt, branch = $branch, model = $model,
       client_version = $clientVersion, prompt_uuid = $promptUuid, foreign_origin = $foreignOrigin, device_id = $deviceId
     WHERE id = $id`,
    {
      id,
      origin: turn.origin,
      text,
      toolSummary: JSON.stringify(details.toolSummary),
      isSidechain: turn.isSidechain,
      createdAt: turn.createdAt,
      endedAt: turn.endedAt,
      branch: details.branch,
      model: details.model,
      clientVersion: details.clientVersion,
      promptUuid: details.promptUuid,
      foreignOrigin: author === null ? null : TEAM_ORIGIN,
      deviceId,
    },
  );
}

/** Replaces what a turn touched and made. */
function writeDetails(connection: Connection, id: number, { session, mentions, commits }: Details): void {
  connection.run("DELETE FROM file_mentions WHERE turn_id = ?", id);
  for (const mention of mentions) writeMention(connection, id, mention);
  connection.run("DELETE FROM commits WHERE turn_id = ?", id);
  for (const { hash, message } of commits)
    connection.run(
      "INSERT OR IGNORE INTO commits (turn_id, hash, message) VALUES (?, ?, ?)",
      id,
      hash.toLowerCase(),
      message,
    );
  connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", session.sessionId);
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

/**
 * Stores what a pulled turn says of its session. A session of one's own keeps what its transcript says, and a
 * colleague's what came with its first turn: nobody else gives it a name.
 */
function writeSession(connection: Connection, turn: TeamTurn, author: string | null): void {
  const session = cleaned(turn.session);
  const { opening, sessionId } = session;
  connection.run("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", sessionId);
  if (author === null) claimSessions(connection, [sessionId]);
  if (isOthers(connection, sessionId, author)) return;
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
  if (opening !== null) writeOpening(connection, sessionId, opening);
}

/** Whether a session is known from a transcript here, or from another author. */
function isOthers(connection: Connection, sessionId: string, author: string | null): boolean {
  const row = connection.get(
    `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND (s.transcript_path IS NOT NULL OR EXISTS
       (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.author IS NULL AND t.device_id IS NULL
          AND t.id NOT IN (SELECT f.turn_id FROM folder_turns f))
       OR (SELECT coalesce(t.author, '') FROM turns t WHERE t.session_id = ?1 ORDER BY t.id LIMIT 1) <> ?2)`,
    sessionId,
    author,
  );
  return row !== null;
}

/** Stores what comes with the first turn of a session: its title, and the pull requests that it names. */
function writeOpening(
  connection: Connection,
  sessionId: CleanString,
  { title, titleSource, firstPrompt, links }: Clean<NonNullable<TeamTurn["session"]["opening"]>>,
): void {
  connection.run(
    "UPDATE sessions SET title = $title, title_source = $titleSource, first_prompt = $firstPrompt WHERE session_id = $sessionId",
    { sessionId, title, titleSource, firstPrompt },
  );
  for (const link of links)
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES ($sessionId, $prNumber, $prUrl, $prRepository, $timestamp)`,
      { ...link, sessionId },
    );
}
