import { sameBytes } from "../identity.ts";
import { onFirstUse } from "../on-first-use.ts";
import type { ReadStore } from "../store.ts";
import type { ChangeKind, DeviceName, IncomingChange, MemberProject, Position, TeamServer } from "../team.ts";
import type { Database } from "./client/database.ts";
import { findSqlState } from "./client/errors.ts";
import { inProject, type ProjectDatabase, teamProject } from "./query.ts";
import { writeRefusal } from "./schema/migrate.ts";
import { applyPush, preparePush } from "./team/push.ts";
import { planPage, readTurns } from "./team/read-turns.ts";
import { searchedModel } from "./vectors.ts";

/** Opens one project of a team's database for reading. `close` closes the connections. */
export function openPostgresStore(server: Database, id: number): ReadStore {
  const project = teamProject(server, id);
  return {
    browse: onFirstUse(async () => (await import("./browse/store.ts")).browseStore(project)),
    search: onFirstUse(async () => (await import("./search/store.ts")).searchStore(project)),
    exports: onFirstUse(async () => (await import("./export.ts")).exportStore(project)),
    models: {
      active: () =>
        project.read(async (database) => {
          const model = await searchedModel(database);
          return model === null ? null : { id: model.name, dimensions: model.dimensions };
        }),
    },
    local: null,
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

interface TeamServerOptions {
  server: Database;
  project: number;
  /** Model whose vectors are pulled; none when null. */
  model: string | null;
  signal?: AbortSignal | undefined;
}

/** Server errors for ids that were not reserved and for unknown models. */
const NOT_PREPARED = /^(?:42501|23\d{3})$/;
/** Timeout of a sync transaction. The connection may be slow, and the worker has time. */
const TIMEOUT_MS = 120_000;

/** Opens the team's database as the logged-in member. `close` closes the connections. */
export function teamServer({ server, project: id, model, signal }: TeamServerOptions): TeamServer {
  const project = teamProject(server, id);
  const limits = { timeoutMs: TIMEOUT_MS, signal };
  return {
    devices: () =>
      project.read(async (database) => (await database.all<DeviceRow>(DEVICES)).map(deviceOf), limits),
    async push(deviceId, from, changes) {
      const pushed = async () => {
        const prepared = await project.write((database) => preparePush(database, changes), limits);
        return server.transaction(async (sql) => {
          await refuseOtherSchema(inProject(sql, id));
          return applyPush(sql, id, { deviceId, from, changes, ...prepared });
        }, limits);
      };
      try {
        return await pushed();
      } catch (error) {
        // A server that was restored from a backup meanwhile has lost the prepared ids.
        if (!NOT_PREPARED.test(findSqlState(error) ?? "")) throw error;
        return pushed();
      }
    },
    pull: (device, from) => project.read((database) => pull(database, device, from, model), limits),
    close: () => server.close(),
  };
}

interface DeviceRow {
  isMember: boolean;
  author: string;
  deviceId: string;
  number: number;
  chain: string;
}

const DEVICES = `SELECT author, device_id::text AS "deviceId", last_number AS number, encode(chain, 'hex') AS chain,
    author IN (SELECT m.role FROM mementor.project_members(:project) m) AS "isMember"
  FROM mementor.devices WHERE project_id = :project ORDER BY author, device_id`;

function deviceOf({ chain, ...row }: DeviceRow) {
  return { ...row, chain: Buffer.from(chain, "hex") };
}

/** Refuses to write into a schema of another version, because the write would lack that version's data. */
async function refuseOtherSchema(database: ProjectDatabase): Promise<void> {
  const row = await database.get<{ version: number }>("SELECT schema_version AS version FROM mementor.meta");
  const refusal = writeRefusal(row?.version ?? 0);
  if (refusal !== null) throw refusal;
}

/** Maximum changes per answer. */
const PAGE = 500;

interface ChangeRow {
  number: number;
  kind: ChangeKind;
  target: string;
  key: string;
  chain: string;
  turnId: number | null;
}

/** Maximum length of a turn's key. */
const KEY_BYTES = 32;

/**
 * Reads the changes after a position with the current state of their turns; see `TeamServer.pull`. Ignores changes with an
 * invalid key.
 */
async function pull(
  database: ProjectDatabase,
  { author, deviceId }: DeviceName,
  from: Position,
  model: string | null,
): Promise<IncomingChange[] | null> {
  const rows = await database.all<ChangeRow>(
    `SELECT c.number, CASE WHEN octet_length(c.turn_key) > ${KEY_BYTES} THEN 'void' ELSE c.kind END AS kind, c.target,
       encode(substring(c.turn_key, 1, ${KEY_BYTES}), 'hex') AS key, encode(c.chain, 'hex') AS chain, t.turn_id AS "turnId"
     FROM mementor.changes c LEFT JOIN mementor.turns t ON c.kind = 'put' AND octet_length(c.turn_key) <= ${KEY_BYTES} AND t.project_id = c.project_id
       AND t.author = c.target AND t.turn_key = c.turn_key
     WHERE c.project_id = :project AND c.author = ? AND c.device_id = ?::uuid AND c.number >= ?::bigint
     ORDER BY c.number LIMIT ?::integer`,
    author,
    deviceId,
    from.number,
    PAGE + 1,
  );
  if (from.number > 0) {
    const known = rows.shift();
    if (known?.number !== from.number || !sameBytes(Buffer.from(known.chain, "hex"), from.chain)) return null;
  }
  const { fitting, next } = await planPage(
    database,
    rows.flatMap(({ turnId }) => turnId ?? []),
  );
  const turns = await readTurns(database, fitting, model);
  const end = next === null ? -1 : rows.findIndex(({ turnId }) => turnId === next);
  return (end < 0 ? rows : rows.slice(0, end)).map(({ key, chain, turnId, ...change }) => ({
    ...change,
    turnKey: Buffer.from(key, "hex"),
    chain: Buffer.from(chain, "hex"),
    turn: turnId === null ? null : (turns.get(turnId) ?? null),
  }));
}

/** Lists the projects that the role is a member of. */
export function memberProjects(server: Database, timeoutMs?: number): Promise<MemberProject[]> {
  return server.transaction((sql) => sql.query<MemberProject>(PROJECTS), {
    isReadOnly: true,
    timeoutMs,
  });
}

const PROJECTS = `SELECT p.project_id AS id, p.name, current_user::text AS author, m.is_admin AS "isAdmin",
    coalesce(u.bytes, 0) AS "usedBytes", m.max_bytes AS "maxBytes", coalesce(u.rows, 0) AS "usedRows",
    m.max_rows AS "maxRows"
  FROM mementor.members m JOIN mementor.projects p ON p.project_id = m.project_id
  LEFT JOIN mementor.usage u ON u.project_id = m.project_id AND u.author = m.role
  WHERE m.role = current_user ORDER BY p.name`;
