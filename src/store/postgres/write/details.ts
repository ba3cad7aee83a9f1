import type { Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { fileName } from "../../resources.ts";
import { entryKey } from "../../write/entry-key.ts";
import { IDS, TEXTS } from "../columns.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";

interface StoredTurn {
  id: number;
  turn: Clean<Turn>;
}

/** Replaces the entries, mentions and commits of turns. */
export async function writeDetails(database: ProjectDatabase, turns: readonly StoredTurn[]): Promise<void> {
  if (turns.length === 0) return;
  const ids = json(turns.map(({ id }) => id));
  for (const table of ["entries", "file_mentions", "commits"])
    await database.run(
      `DELETE FROM mementor.${table} d USING ${IDS} WHERE d.project_id = :project AND d.turn_id = j.value`,
      ids,
    );
  await writeEntries(database, turns);
  await writeMentions(database, turns);
  await writeCommits(database, turns);
  await database.run(
    `INSERT INTO mementor.stale_access_patterns (project_id, session_id) SELECT DISTINCT :project, j.value FROM ${TEXTS}
     ON CONFLICT DO NOTHING`,
    json(turns.map(({ turn }) => turn.sessionId)),
  );
}

async function writeEntries(database: ProjectDatabase, turns: readonly StoredTurn[]): Promise<void> {
  const owners = new Map<string, { id: number; wins: boolean }>();
  for (const { id, turn } of turns) {
    for (const uuid of turn.entryUuids) if (uuid !== "") owners.set(entryKey(uuid), { id, wins: true });
    const prompt = entryKey(turn.promptUuid ?? "");
    // The prompt of a copied turn stays with the turn that had it first.
    if (prompt !== "" && !owners.has(prompt)) owners.set(prompt, { id, wins: false });
  }
  for (const wins of [true, false]) {
    const rows = [...owners].filter(([, owner]) => owner.wins === wins);
    if (rows.length === 0) continue;
    await database.run(
      `INSERT INTO mementor.entries (project_id, uuid, turn_id) SELECT :project, r.uuid, r.id
       FROM json_to_recordset(?::text::json) AS r (uuid text, id bigint)
       ON CONFLICT (project_id, author, uuid) DO ${wins ? "UPDATE SET turn_id = excluded.turn_id" : "NOTHING"}`,
      json(rows.map(([uuid, { id }]) => ({ uuid, id }))),
    );
  }
}

async function writeMentions(database: ProjectDatabase, turns: readonly StoredTurn[]): Promise<void> {
  const rows = turns.flatMap(({ id, turn }) =>
    turn.mentions.map(({ filePath, toolName }) => ({
      id,
      path: filePath,
      name: fileName(filePath),
      tool: toolName,
    })),
  );
  if (rows.length === 0) return;
  await database.run(
    `INSERT INTO mementor.file_mentions (project_id, turn_id, file_path, file_name, tool_name)
     SELECT :project, r.id, r.path, r.name, r.tool
     FROM json_to_recordset(?::text::json) AS r (id bigint, path text, name text, tool text) ON CONFLICT DO NOTHING`,
    json(rows),
  );
}

async function writeCommits(database: ProjectDatabase, turns: readonly StoredTurn[]): Promise<void> {
  const rows = turns.flatMap(({ id, turn }) =>
    turn.commits.map(({ hash, message }) => ({ id, hash: hash.toLowerCase(), message })),
  );
  if (rows.length === 0) return;
  await database.run(
    `INSERT INTO mementor.commits (project_id, turn_id, hash, message) SELECT :project, r.id, r.hash, r.message
     FROM json_to_recordset(?::text::json) AS r (id bigint, hash text, message text) ON CONFLICT DO NOTHING`,
    json(rows),
  );
}
