import type { IngestStore } from "../../store.ts";
import type { KnownEntry, SourceState } from "../../types.ts";
import { checkDimensions } from "../../vectors/models.ts";
import { entryKey } from "../../write/entry-key.ts";
import { storedId } from "../../write/gate.ts";
import { TEXTS } from "../columns.ts";
import type { ProjectDatabase, TeamProject } from "../query.ts";
import { json } from "../text.ts";
import { pendingResources, refreshAccessPatterns, saveResources } from "../vectors/access-patterns.ts";
import { activeModel, requireModel } from "../vectors/models.ts";
import { pendingChunks, pendingCount, saveVectors } from "../vectors/pending.ts";
import { vectorLiteral } from "../vectors/vector-text.ts";
import { writeBatch } from "./batch.ts";

const OWN = "project_id = :project AND author = current_user";

/** What a member writes straight to the server. It sees its own transcripts and entries only. */
export function ingestStore(project: TeamProject, now: () => string): IngestStore {
  const modelOf = (database: ProjectDatabase, modelId: string | undefined) =>
    modelId === undefined ? activeModel(database) : requireModel(database, modelId);
  return {
    source: (path) => project.read((database) => source(database, storedId(path))),
    knownEntries: (uuids) => project.read((database) => knownEntries(database, uuids)),
    write: (batch) => writeBatch(project, now, batch),
    sourcesReadBefore: (version) =>
      project.read(async (database) => {
        const rows = await database.all<{ path: string }>(
          `SELECT path FROM mementor.sources WHERE ${OWN} AND reader_version < ? ORDER BY source_id`,
          version,
        );
        return rows.map(({ path }) => path);
      }),
    async setReaderVersion(path, version) {
      const sql = `UPDATE mementor.sources SET reader_version = ? WHERE ${OWN} AND path = ?`;
      await project.write((database) => database.run(sql, version, storedId(path)));
    },
    pendingCount: (modelId) =>
      project.read(async (database) => {
        const model = await modelOf(database, modelId);
        return model === null ? 0 : pendingCount(database, model.id);
      }),
    hasPendingVectors: () => project.read(hasPendingVectors),
    pendingChunks: (limit, modelId) =>
      project.read(async (database) => {
        const model = await modelOf(database, modelId);
        return model === null ? [] : pendingChunks(database, model.id, limit);
      }),
    async saveVectors(vectors, modelId) {
      if (vectors.length === 0) return;
      await project.write(async (database) => {
        const model = await requireModel(database, modelId);
        for (const { vector } of vectors) checkDimensions(model, vector);
        const rows = vectors.map(({ chunkId, vector }) => ({ id: chunkId, vector: vectorLiteral(vector) }));
        await saveVectors(database, model.id, json(rows));
      });
    },
    pendingResources: (limit, modelId) =>
      project.read(async (database) => pendingResources(database, limit, await modelOf(database, modelId))),
    async saveResources(resources, modelId) {
      if (resources.length === 0) return;
      await project.write(async (database) => {
        const model = await requireModel(database, modelId);
        for (const { vector } of resources) checkDimensions(model, vector);
        await saveResources(database, resources, model);
      });
    },
    refreshAccessPatterns: () => project.write(refreshAccessPatterns),
  };
}

type SourceRow = {
  [Key in keyof SourceState]: Key extends "skipped" | "sessions" | "leftOut" ? string : SourceState[Key];
};

async function source(database: ProjectDatabase, path: string): Promise<SourceState | null> {
  const row = await database.get<SourceRow>(
    `SELECT path, session_id AS "sessionId", agent_id AS "agentId", byte_offset AS "byteOffset",
       line_index AS "lineIndex", resume_offset AS "resumeOffset", resume_line AS "resumeLine", fingerprint, size,
       mtime_ms AS "mtimeMs", skipped, sessions, left_out AS "leftOut", reader_state AS "readerState",
       reader_version AS "readerVersion" FROM mementor.sources WHERE ${OWN} AND path = ?`,
    path,
  );
  if (row === null) return null;
  const { skipped, sessions, leftOut } = row;
  return {
    ...row,
    skipped: JSON.parse(skipped),
    sessions: JSON.parse(sessions),
    leftOut: JSON.parse(leftOut),
  };
}

async function knownEntries(
  database: ProjectDatabase,
  uuids: readonly string[],
): Promise<Map<string, KnownEntry>> {
  const rows = await database.all<KnownEntry & { key: number }>(
    `SELECT j.key, t.turn_id AS "turnId", t.session_id AS "sessionId", t.agent_id AS "agentId",
       t.prompt_uuid AS "promptUuid"
     FROM ${TEXTS} JOIN mementor.entries e ON e.project_id = :project AND e.author = current_user AND e.uuid = j.value
     JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = e.turn_id
     WHERE t.foreign_origin IS NULL ORDER BY j.key`,
    json(uuids.map(entryKey)),
  );
  return new Map(rows.map(({ key, ...known }) => [uuids[key - 1] ?? "", known]));
}

async function hasPendingVectors(database: ProjectDatabase): Promise<boolean> {
  const model = await activeModel(database);
  const stale = await database.get(`SELECT 1 FROM mementor.stale_access_patterns WHERE ${OWN} LIMIT 1`);
  if (stale !== null) return true;
  if (model === null) return false;
  return (
    (await pendingChunks(database, model.id, 1)).length > 0 ||
    (await pendingResources(database, 1, model)).length > 0
  );
}
