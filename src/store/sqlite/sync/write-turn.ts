import { type Clean, type CleanString, clean, cleaned } from "../../../redact/gate.ts";
import { mapText } from "../../../turn/grammar.ts";
import type { TeamTurn } from "../../team.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { markUncompacted } from "../forget/compact.ts";
import { type BuriedTurn, isBuried, isForgotten } from "../forget/tombstones.ts";
import { TEXT_SQL, type TextRow, writeParts } from "../turns/columns.ts";
import { insertVector } from "../vectors/packed-bits.ts";
import { KeywordQueue, writeChunks } from "../write/chunks.ts";
import { claimSessions, writeTouched } from "../write/facts.ts";
import { cleanChunks } from "../write/gate.ts";
import { judgeReceived, type LocalCopy, type ReceivedTurn, type Verdict, validateArrival } from "./rules.ts";

/** The stored origin of turns from the team. */
const TEAM_ORIGIN = "team";

/** The owner of a turn; `author` is null for the user's own from another device. */
export interface Ownership {
  author: string | null;
  /** The team's device that pushed it. */
  deviceId: string;
  turnKey: Uint8Array;
}

/** The owner of a turn, with null fields for a turn that no team brought. */
type Origin = Pick<Ownership, "author"> & { [Key in "deviceId" | "turnKey"]: Ownership[Key] | null };

/** A stored turn. */
interface Known {
  id: number;
  text: string;
}

/** State shared by turns that arrive together. */
export interface ArrivalState {
  models: ReadonlyMap<string, LocalModel>;
  /** Keywords that the caller writes after all turns. */
  keywords: KeywordQueue;
}

export function arrivingTogether(connection: Connection): ArrivalState {
  const rows = connection.all<{ name: string; id: number; dimensions: number }>(
    "SELECT name, id, dimensions FROM models",
  );
  const models = new Map(rows.map(({ name, ...model }) => [name, model]));
  return { models, keywords: new KeywordQueue() };
}

/** Cleaned facts of a received turn besides its text. A member may have written anything into them. */
type Facts = Clean<Omit<TeamTurn, "text" | "parts" | "chunks" | "vectorModel">>;

/** Stores a received turn in place of the known one. Returns its id. */
function writeArrived(
  connection: Connection,
  { turn, known, origin }: { turn: TeamTurn; known: Known | null; origin: Origin },
  { models, keywords }: ArrivalState,
): number {
  const { text: given, parts: _parts, chunks, vectorModel, ...beside } = turn;
  const facts: Facts = cleaned(beside);
  const { text, parts } = mapText(turn, clean, facts.toolSummary);
  const isUnchanged = text === given;
  writeSession(connection, facts, origin.author);
  const id = known?.id ?? insert(connection, facts, origin);
  update(connection, id, { text, facts }, origin);
  writeParts(connection, id, { parts });
  const model = isUnchanged ? modelOf(vectorModel, models) : null;
  writeChunks(connection, {
    turnId: id,
    text,
    parts,
    chunks: cleanChunks(given, text, chunks),
    textChanged: known?.text !== text,
    bringsVectors: model !== null,
    keywords,
  });
  // The earlier text may contain something that its author has removed.
  if (known !== null && known.text !== text) markUncompacted(connection);
  writeTouched(connection, id, { ...facts, sessionId: facts.session.sessionId });
  if (model !== null) writeVectors(connection, id, turn, model);
  return id;
}

function insert(connection: Connection, { session: { sessionId }, agentId }: Facts, origin: Origin): number {
  return connection.run(
    `INSERT INTO turns (session_id, agent_id, role, origin, full_text, tool_summary, author, device_id, turn_key)
     VALUES ($sessionId, $agentId, '', '', '', '', $author, $deviceId, $turnKey)`,
    { sessionId, agentId, ...origin },
  ).lastId;
}

function update(
  connection: Connection,
  id: number,
  { text, facts }: { text: CleanString; facts: Facts },
  { author, deviceId }: Origin,
): void {
  const { session: _session, subagent: _subagent, mentions: _mentions, commits: _commits, ...row } = facts;
  const toolSummary = JSON.stringify(row.toolSummary);
  const foreignOrigin = author === null ? null : TEAM_ORIGIN;
  connection.run(
    `UPDATE turns SET role = 'turn', origin = $origin, full_text = $text, tool_summary = $toolSummary,
       is_sidechain = $isSidechain, created_at = $createdAt, ended_at = $endedAt, branch = $branch, model = $model,
       client_version = $clientVersion, prompt_uuid = $promptUuid, foreign_origin = $foreignOrigin, device_id = $deviceId
     WHERE id = $id`,
    { ...row, id, text, toolSummary, foreignOrigin, deviceId },
  );
}

interface LocalModel {
  id: number;
  dimensions: number;
}

/** Returns the local model that made the turn's vectors; null for another model or without vectors. */
function modelOf(
  vectorModel: TeamTurn["vectorModel"],
  models: ReadonlyMap<string, LocalModel>,
): LocalModel | null {
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
 * Stores the session facts of a pulled turn. The user's own session keeps the facts of its transcript, and a colleague's those of
 * its first turn, so that nobody else can name it.
 */
function writeSession(
  connection: Connection,
  { session, agentId, subagent }: Facts,
  author: string | null,
): void {
  const { opening, ...row } = session;
  const { sessionId } = row;
  connection.run("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", sessionId);
  if (author === null) claimSessions(connection, [sessionId]);
  if (isOthers(connection, sessionId, author)) return;
  connection.run(
    `UPDATE sessions SET client = $client, automated = $automated, branch = coalesce($branch, branch),
       started_at = min(coalesce(started_at, $startedAt), coalesce($startedAt, started_at)),
       ended_at = max(coalesce(ended_at, $endedAt), coalesce($endedAt, ended_at)) WHERE session_id = $sessionId`,
    row,
  );
  if (subagent !== null && agentId !== null)
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, agent_type, task) VALUES ($sessionId, $agentId, $agentType, $task)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET agent_type = excluded.agent_type, task = excluded.task`,
      { sessionId, agentId, ...subagent },
    );
  if (opening !== null) writeOpening(connection, sessionId, opening);
}

/** Tells whether a session is known from a local transcript or from another author. */
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

/** Stores the data that comes with a session's first turn: its title and pull requests. */
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

/** A received turn. */
interface Arrival extends Pick<ReceivedTurn, "record"> {
  turn: TeamTurn;
  turnKey: Uint8Array;
  /** Null for the user's own. */
  author: string | null;
  /** The team's device that sent it; null for a turn from the folder. */
  deviceId: string | null;
  /** ISO 8601. Later times are not trusted, and older turns of colleagues are dropped; null for no limit. */
  until: string | null;
  from: string | null;
}

/** The result of receiving a turn: `copy` is the earlier local version, `turn` the validated turn, `id` the stored turn's. */
type Taken = { turn: TeamTurn; copy: StoredCopy | null } & (
  | { verdict: "new" | "there"; id: number }
  | { verdict: Exclude<Verdict, "new" | "there"> }
);

/** Stores a received turn unless the local version wins. Returns null for an invalid turn. */
export function acceptTurn(connection: Connection, given: Arrival, together: ArrivalState): Taken | null {
  const turn = validateArrival(given.turn, given.until);
  if (turn === null) return null;
  const { author, deviceId, record, turnKey } = given;
  const arrival = { ...given, turn };
  const copy = copyOf(connection, arrival);
  const kept = rejectionReason(connection, arrival);
  const verdict = judgeReceived({ turn, record, isOwn: author === null, kept }, copy);
  if (verdict !== "new" && verdict !== "there") return { verdict, turn, copy };
  const origin =
    deviceId === null
      ? { author, deviceId: copy?.deviceId ?? null, turnKey: null }
      : { author, deviceId, turnKey };
  return { verdict, turn, copy, id: writeArrived(connection, { turn, known: copy, origin }, together) };
}

type StoredCopy = LocalCopy & { id: number };

const IN_FOLDER = `f.home, coalesce(f.holder, (SELECT o.writer FROM folder o)) AS writer,
  coalesce(iif(f.holder IS NULL, (SELECT i.seq FROM folder_items i WHERE i.turn_id = t.id AND i.mark = ''), f.seq), 0) AS seq,
  EXISTS (SELECT 1 FROM folder_writers w WHERE w.writer = f.holder AND w.is_over) AS isOver, f.cleans,
  EXISTS (SELECT 1 FROM folder_dirty d WHERE d.turn_id = t.id) AS isWaiting`;

/** SQL of the ids of turns with a known key: the user's, and this author's. */
const BY_KEY = `SELECT turn_id FROM team_changes WHERE turn_key = $turnKey AND kind = 'put' AND target IS NULL
  UNION ALL SELECT turn_id FROM folder_turns WHERE turn_key = lower(hex($turnKey))
  UNION ALL SELECT turn_id FROM folder_items WHERE turn_key = lower(hex($turnKey)) AND mark = ''
  UNION ALL SELECT id FROM turns WHERE coalesce(author, '') = $author AND turn_key = $turnKey`;

type Flag = "isOwn" | "isOver" | "isWaiting";

/** Returns the local version of a turn, from any source; the user's own first. */
function copyOf(connection: Connection, { turn, turnKey, author, record }: Arrival): StoredCopy | null {
  type Row = TextRow &
    Omit<StoredCopy, "parts" | "place" | "cleans" | Flag> &
    Record<Flag, number> & { writer: string | null; seq: number; cleans: string | null };
  const find = (where: string, values: Record<string, string | null | Uint8Array>) =>
    connection.get<Row>(
      `SELECT ${TEXT_SQL}, t.author IS NULL AS isOwn, t.device_id AS deviceId, ${IN_FOLDER}
       FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id
       WHERE ${where} ORDER BY t.author IS NOT NULL, t.device_id IS NOT NULL LIMIT 1`,
      values,
    );
  const { promptUuid, createdAt, text } = turn;
  const facts = { sessionId: turn.session.sessionId, agent: turn.agentId ?? "" };
  // A turn from another device is identified by its key.
  const same = `t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent AND t.author IS NULL
    ${record === null ? "AND t.device_id IS NULL" : ""}`;
  const row =
    find(`t.id IN (${BY_KEY})`, { turnKey, author: author ?? "" }) ??
    (promptUuid === null
      ? find(`t.created_at IS $createdAt AND t.full_text = $text AND ${same}`, { ...facts, createdAt, text })
      : find(`t.prompt_uuid = $promptUuid AND ${same}`, { ...facts, promptUuid }));
  if (row === null) return null;
  const { parts, isOwn, writer, seq, isOver, isWaiting, cleans, ...copy } = row;
  return {
    ...copy,
    parts: decodeParts(parts),
    isOwn: isOwn === 1,
    place: writer === null ? null : { writer, seq },
    isOver: isOver === 1,
    isWaiting: isWaiting === 1,
    cleans: cleans === null ? null : JSON.parse(cleans),
  };
}

/** Returns the reason why a turn must not be stored here. */
function rejectionReason(
  connection: Connection,
  { turn, turnKey, author, record, from }: Arrival,
): ReceivedTurn["kept"] {
  const has = (sql: string, ...values: (string | Uint8Array)[]) => connection.get(sql, ...values) !== null;
  if (author !== null) {
    const isHidden = has("SELECT 1 FROM team_hidden WHERE author = ? AND turn_key = ?", author, turnKey);
    return isHidden || (from !== null && (turn.createdAt ?? "") < from) ? "unwanted" : null;
  }
  const buried: BuriedTurn = { ...turn, sessionId: turn.session.sessionId, lineIndex: -1, entryUuids: [] };
  const isUnshared = record === null && has("SELECT 1 FROM team_unshared WHERE turn_key = ?", turnKey);
  if (isUnshared || isGone(connection, turnKey) || isBuried(connection, buried, "for good")) return "gone";
  // A turn that was pruned, or only has the words of a forgotten one, stays with the others, because it may be a different turn.
  return isForgotten(connection, buried) ? "unwanted" : null;
}

/** Tells whether all the user's devices are to forget a turn. */
export function isGone(connection: Connection, turnKey: Uint8Array): boolean {
  return connection.get("SELECT 1 FROM folder_gone WHERE turn_key = lower(hex(?))", turnKey) !== null;
}
