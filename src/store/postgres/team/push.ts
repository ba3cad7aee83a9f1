import { sameBytes } from "../../identity.ts";
import type { OutgoingChange, Position, TeamTurn } from "../../team.ts";
import type { Statements } from "../client/database.ts";
import { insertRows } from "../client/insert.ts";
import { inProject, json, type ProjectDatabase } from "../query.ts";
import { type PlacedTurn, writeTurns } from "./turns.ts";

/** Data prepared before the transaction, so that pushes do not wait for each other. */
export interface PreparedPush {
  firstTurn: number;
  firstChunk: number;
  isAdmin: boolean;
  /** Ids of models in the project, by name. */
  models: ReadonlyMap<string, number>;
}

export interface PushRequest extends PreparedPush {
  deviceId: string;
  from: Position;
  changes: readonly OutgoingChange[];
}

/** The id of a model that needs no `add_model`, which waits for all open pushes: it is known, and searches need not change theirs. */
const KNOWN_MODEL = `SELECT m.model_id AS id FROM mementor.models m JOIN mementor.projects p USING (project_id)
  WHERE m.project_id = :project AND m.name = ? AND m.dimensions = ?::integer AND (p.active_model = m.model_id
    OR EXISTS (SELECT 1 FROM mementor.chunk_vectors v WHERE v.project_id = :project AND v.model_id = p.active_model))`;

/** Reserves ids and adds models. Unused ids stay unused. */
export async function preparePush(
  database: ProjectDatabase,
  changes: readonly OutgoingChange[],
): Promise<PreparedPush> {
  const turns = turnsOf(changes);
  const wanted = new Map(
    turns.flatMap(({ turn }) =>
      turn.vectorModel === null ? [] : [[turn.vectorModel.id, turn.vectorModel.dimensions]],
    ),
  );
  const models = new Map<string, number>();
  for (const [name, dimensions] of wanted) {
    const known = await database.get<{ id: number }>(KNOWN_MODEL, name, dimensions);
    const added = "SELECT mementor.add_model(:project, ?, ?::integer) AS id";
    const row = known ?? (await database.get<{ id: number }>(added, name, dimensions));
    if (row !== null) models.set(name, row.id);
  }
  const admin = await database.get<{ isAdmin: boolean }>(
    `SELECT is_admin AS "isAdmin" FROM mementor.members WHERE project_id = :project AND role = current_user`,
  );
  const chunks = turns.reduce((sum, { turn }) => sum + turn.chunks.length, 0);
  const ids = await database.get<{ firstTurn: number; firstChunk: number }>(
    `SELECT first_turn AS "firstTurn", first_chunk AS "firstChunk"
     FROM mementor.reserve_ids(:project, ?::integer, ?::integer)`,
    turns.length,
    chunks,
  );
  return {
    firstTurn: ids?.firstTurn ?? 0,
    firstChunk: ids?.firstChunk ?? 0,
    isAdmin: admin?.isAdmin ?? false,
    models,
  };
}

/**
 * Stores a batch. Returns false when the device is not at the start of the batch. A batch that is stored already counts as
 * success.
 */
export async function applyPush(sql: Statements, project: number, request: PushRequest): Promise<boolean> {
  const database = inProject(sql, project);
  const { deviceId, from, changes } = request;
  const last = changes.at(-1);
  if (last === undefined) return true;
  const at = await lockDevice(database, deviceId);
  if (isSamePosition(at, last)) return true;
  if (!isSamePosition(at, from)) return false;
  await writeChanges(sql, project, request);
  await buryTurns(database, deviceId, permittedChanges(request));
  await writeTurnsOf(sql, database, request);
  await database.run(
    `UPDATE mementor.devices SET last_number = ?::bigint, chain = decode(?, 'hex'), seen_at = now()
     WHERE project_id = :project AND author = current_user AND device_id = ?::uuid`,
    last.number,
    hex(last.chain),
    deviceId,
  );
  return true;
}

async function lockDevice(database: ProjectDatabase, deviceId: string): Promise<Position> {
  await database.run(
    `INSERT INTO mementor.devices (project_id, author, device_id) VALUES (:project, current_user, ?::uuid)
     ON CONFLICT DO NOTHING`,
    deviceId,
  );
  const row = await database.get<{ number: number; chain: string }>(
    `SELECT last_number AS number, encode(chain, 'hex') AS chain FROM mementor.devices
     WHERE project_id = :project AND author = current_user AND device_id = ?::uuid FOR UPDATE`,
    deviceId,
  );
  return { number: row?.number ?? 0, chain: Buffer.from(row?.chain ?? "", "hex") };
}

function isSamePosition(a: Position, b: Position): boolean {
  return a.number === b.number && sameBytes(a.chain, b.chain);
}

/** Returns the permitted changes. Only an admin may remove turns of others; for other members such a removal is dropped. */
function permittedChanges({ changes, isAdmin }: PushRequest): readonly OutgoingChange[] {
  return changes.map((change) =>
    change.target !== null && !isAdmin ? { ...change, kind: "void" as const, target: null } : change,
  );
}

async function writeChanges(sql: Statements, project: number, request: PushRequest): Promise<void> {
  const [row] = await sql.query<{ self: string }>("SELECT current_user::text AS self");
  const self = row?.self ?? "";
  await insertRows(
    sql,
    {
      table: "mementor.changes",
      columns: {
        project_id: "bigint",
        author: "text",
        device_id: "uuid",
        number: "bigint",
        kind: "text",
        target: "text",
        turn_key: "bytea",
        digest: "bytea",
        chain: "bytea",
      },
      // A restored server may still have the end of the lost data.
      suffix: "ON CONFLICT DO NOTHING",
    },
    permittedChanges(request).map(({ number, kind, target, turnKey, digest, chain }) => [
      project,
      self,
      request.deviceId,
      number,
      kind,
      target ?? self,
      turnKey,
      digest,
      chain,
    ]),
  );
}

async function buryTurns(
  database: ProjectDatabase,
  deviceId: string,
  changes: readonly OutgoingChange[],
): Promise<void> {
  const removed = changes
    .filter(({ kind }) => kind === "remove")
    .map(({ target, turnKey }) => ({ target, key: hex(turnKey) }));
  if (removed.length === 0) return;
  await database.run(
    `INSERT INTO mementor.tombstones (project_id, target, turn_key, author, device_id)
     SELECT :project, coalesce(j.value ->> 'target', current_user::text), decode(j.value ->> 'key', 'hex'), current_user,
       ?::uuid FROM jsonb_array_elements(?::text::jsonb) AS j (value) ON CONFLICT DO NOTHING`,
    deviceId,
    json(removed),
  );
}

async function writeTurnsOf(sql: Statements, database: ProjectDatabase, request: PushRequest): Promise<void> {
  const turns = turnsOf(request.changes);
  if (turns.length === 0) return;
  const known = new Map(
    (
      await database.all<{ key: string; id: number }>(
        `SELECT encode(t.turn_key, 'hex') AS key, t.turn_id AS id FROM mementor.turns t
         WHERE t.project_id = :project AND t.author = current_user AND t.turn_key IN
           (SELECT decode(value, 'hex') FROM jsonb_array_elements_text(?::text::jsonb))`,
        json(turns.map(({ turnKey }) => hex(turnKey))),
      )
    ).map(({ key, id }) => [key, id]),
  );
  // A turn keeps its id; its rows are written again.
  if (known.size > 0)
    await database.run(
      `DELETE FROM mementor.turns WHERE project_id = :project AND author = current_user AND turn_id IN
         (SELECT value::bigint FROM jsonb_array_elements_text(?::text::jsonb))`,
      json([...known.values()]),
    );
  await writeSessions(
    database,
    turns.map(({ turn }) => turn),
  );
  const placed = turns.map(
    ({ turnKey, turn }, i): PlacedTurn => ({
      id: known.get(hex(turnKey)) ?? request.firstTurn + i,
      turnKey,
      turn,
    }),
  );
  await writeTurns(sql, database, placed, request);
}

function turnsOf(changes: readonly OutgoingChange[]): { turnKey: Uint8Array; turn: TeamTurn }[] {
  return changes.flatMap(({ turn, turnKey }) => (turn === null ? [] : [{ turnKey, turn }]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Stores the sessions of turns. A session's title comes with its first turn. */
async function writeSessions(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const sessions = Map.groupBy(turns, ({ session }) => session.sessionId);
  const facts = [...sessions].map(([sessionId, of]) => ({
    sessionId,
    client: of[0]?.session.client,
    automated: of[0]?.session.automated,
    branch: of.findLast(({ session }) => session.branch !== null)?.session.branch ?? null,
    startedAt: extreme(of.map(({ session }) => session.startedAt)).first,
    endedAt: extreme(of.map(({ session }) => session.endedAt)).last,
  }));
  await database.run(
    `INSERT INTO mementor.sessions AS s (project_id, session_id, client, automated, branch, started_at, ended_at)
     SELECT :project, j."sessionId", j.client, j.automated, j.branch, j."startedAt", j."endedAt"
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, client text, automated boolean, branch text,
       "startedAt" text, "endedAt" text)
     ON CONFLICT (project_id, author, session_id) DO UPDATE SET client = excluded.client, automated = excluded.automated,
       branch = coalesce(excluded.branch, s.branch), started_at = least(s.started_at, excluded.started_at),
       ended_at = greatest(s.ended_at, excluded.ended_at)`,
    json(facts),
  );
  await writeOpenings(database, turns);
  await writeSubagents(database, turns);
}

async function writeOpenings(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const openings = turns.flatMap(({ session }) =>
    session.opening === null ? [] : [{ sessionId: session.sessionId, ...session.opening }],
  );
  if (openings.length === 0) return;
  await database.run(
    `UPDATE mementor.sessions s SET title = j.title, title_source = j."titleSource", first_prompt = j."firstPrompt"
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, title text, "titleSource" text, "firstPrompt" text)
     WHERE s.project_id = :project AND s.author = current_user AND s.session_id = j."sessionId"`,
    json(openings),
  );
  await database.run(
    `INSERT INTO mementor.pr_links (project_id, session_id, pr_number, pr_url, pr_repository, timestamp)
     SELECT :project, j."sessionId", j."prNumber", j."prUrl", j."prRepository", j.timestamp
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, "prNumber" bigint, "prUrl" text,
       "prRepository" text, timestamp text) ON CONFLICT DO NOTHING`,
    json(openings.flatMap(({ sessionId, links }) => links.map((link) => ({ ...link, sessionId })))),
  );
}

async function writeSubagents(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const subagents = new Map(
    turns.flatMap(({ session: { sessionId }, agentId, subagent }) =>
      agentId === null || subagent === null
        ? []
        : [[`${sessionId}\n${agentId}`, { sessionId, agentId, ...subagent }]],
    ),
  );
  if (subagents.size === 0) return;
  await database.run(
    `INSERT INTO mementor.subagent_sessions (project_id, session_id, agent_id, agent_type, task)
     SELECT :project, j."sessionId", j."agentId", j."agentType", j.task
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, "agentId" text, "agentType" text, task text)
     ON CONFLICT (project_id, author, session_id, agent_id) DO UPDATE SET agent_type = excluded.agent_type,
       task = excluded.task`,
    json([...subagents.values()]),
  );
}

function extreme(times: readonly (string | null)[]): { first: string | null; last: string | null } {
  const known = times.filter((time) => time !== null).sort();
  return { first: known[0] ?? null, last: known.at(-1) ?? null };
}
