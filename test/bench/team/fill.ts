import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { chainHash, turnKey } from "../../../src/store/identity.ts";
import type { IndexedWords } from "../../../src/store/postgres/search/keywords.ts";
import { contentHash } from "../../../src/store/sqlite/write/chunks.ts";
import { encodeParts } from "../../../src/store/turn-rows.ts";
import { scratchDir } from "../measure.ts";
import { bytea, TextCopy, VectorCopy } from "./copy-file.ts";
import { MadeTurns, MODEL, SHAPE } from "./made-turns.ts";

/** A project to be filled. */
export interface MadeProject {
  id: number;
  chunks: number;
  /** Its members; each turn is one's of these. */
  authors: readonly string[];
  /** Projects with other seeds hold other texts and vectors. */
  seed: number;
}

const TURNS_A_SESSION = 12;

const TABLES = {
  sessions: "project_id, session_id, author, client, automated, started_at, ended_at, first_prompt",
  turns: `project_id, turn_id, author, device_id, turn_key, session_id, role, origin, created_at, branch, prompt_uuid,
    tool_summary, parts, full_text, words, repeats, length`,
  chunks: `project_id, chunk_id, turn_id, author, chunk_index, start, "end", content, words, repeats, length`,
  file_mentions: "project_id, turn_id, file_path, file_name, tool_name, author",
  devices: "project_id, author, device_id, last_number, chain",
  changes: "project_id, author, device_id, number, kind, target, turn_key, digest, chain",
} as const;

const VECTOR_COLUMNS = "project_id, model_id, chunk_id, turn_id, author, embedding";

/**
 * Fills projects as the superuser of a server on this machine: `COPY` from files, without triggers and foreign keys, indexes
 * made at the end. What is stored is what pushes of the same turns would have stored. Projects with one seed and size are
 * filled fastest, one after the other.
 */
export async function fill(url: string, projects: readonly MadeProject[]): Promise<void> {
  // The server reads two projects while the next is made.
  const readers = [superuser(url), superuser(url)];
  const reading = readers.map(() => Promise.resolve());
  const [admin] = readers;
  if (admin === undefined) return;
  for (const reader of readers) await reader.unsafe("SET session_replication_role = replica");
  const indexes = await dropIndexes(admin);
  let turns: MadeTurns | null = null;
  for (const [i, project] of projects.entries()) {
    const files = scratchDir();
    chmodSync(files.path, 0o755);
    if (turns?.seed !== project.seed || turns.chunks !== project.chunks)
      turns = new MadeTurns(project.seed, project.chunks);
    write(project, files.path, turns);
    const place = i % readers.length;
    await reading[place];
    const reader = readers[place] ?? admin;
    reading[place] = read(reader, project, files.path).finally(() => rmSync(files.path, { recursive: true }));
  }
  await Promise.all(reading);
  await admin.unsafe("SET maintenance_work_mem = '512MB'");
  for (const index of indexes) await admin.unsafe(index);
  await admin.unsafe("VACUUM ANALYZE");
  await Promise.all(readers.map((reader) => reader.close()));
}

function superuser(url: string): SQL {
  return new SQL(url, { max: 1, prepare: false });
}

/** Drops the indexes that are no constraints; returns the statements that make them again. */
async function dropIndexes(admin: SQL): Promise<string[]> {
  const rows: { name: string; definition: string }[] = await admin.unsafe(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'mementor'::regnamespace
       AND c.relname IN ('turns', 'chunks', 'chunk_vectors', 'file_mentions', 'changes')
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await admin.unsafe(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

function indexed(words: IndexedWords | undefined): [string, string | null, number] {
  return [words?.words ?? "", words?.repeats ?? null, words?.length ?? 0];
}

function write(project: MadeProject, directory: string, made: MadeTurns): void {
  const open = (table: keyof typeof TABLES) => new TextCopy(join(directory, table));
  using sessions = open("sessions");
  using turns = open("turns");
  using chunks = open("chunks");
  using mentions = open("file_mentions");
  using devices = open("devices");
  using changes = open("changes");
  using vectors = new VectorCopy(join(directory, "chunk_vectors"));
  const { id, authors } = project;
  const counted = new Map<string, { deviceId: string; number: number; chain: Uint8Array }>(
    authors.map((author) => [author, { deviceId: crypto.randomUUID(), number: 0, chain: new Uint8Array(0) }]),
  );
  const count = Math.ceil(project.chunks / SHAPE.chunksATurn);
  for (let index = 0; index < count; index++) {
    const { turn, chunks: cut, words } = made.at(index, id);
    const author = authors[Math.floor(index / TURNS_A_SESSION) % authors.length] ?? "";
    const device = counted.get(author);
    if (device === undefined) throw new Error(`${author} is no author`);
    if (index % TURNS_A_SESSION === 0)
      sessions.add([id, turn.sessionId, author, "claude-code", "f", turn.createdAt, turn.createdAt, "tea"]);
    const turnId = index + 1;
    const key = turnKey({ ...turn, client: "claude-code" });
    const [whole, ...pieces] = words;
    turns.add([
      ...[id, turnId, author, device.deviceId, bytea(key), turn.sessionId, "turn", "human", turn.createdAt],
      ...[turn.branch, turn.promptUuid, "[]", encodeParts(turn.parts), turn.text],
      ...indexed(whole),
    ]);
    const hash = contentHash(turn.text);
    device.chain = chainHash(device.chain, hash);
    changes.add([
      ...[id, author, device.deviceId, ++device.number, "put", author],
      ...[key, hash, device.chain].map(bytea),
    ]);
    for (const { filePath, toolName } of turn.mentions)
      mentions.add([id, turnId, filePath, filePath.slice(filePath.lastIndexOf("/") + 1), toolName, author]);
    for (const [i, { chunk, halves }] of cut.entries()) {
      const chunkId = index * SHAPE.chunksATurn + i + 1;
      const { chunkIndex, content, start, end } = chunk;
      chunks.add([...[id, chunkId, turnId, author, chunkIndex, start, end, content], ...indexed(pieces[i])]);
      const place = { project: id, model: 1, chunkId, turnId, author };
      vectors.add(place, halves);
    }
  }
  for (const [author, { deviceId, number, chain }] of counted)
    devices.add([id, author, deviceId, number, bytea(chain)]);
}

async function read(admin: SQL, { id, chunks }: MadeProject, directory: string): Promise<void> {
  await admin.unsafe(
    "INSERT INTO mementor.models (project_id, model_id, name, dimensions) VALUES ($1, 1, $2, $3)",
    [id, MODEL.id, MODEL.dimensions],
  );
  for (const [table, columns] of Object.entries(TABLES))
    await admin.unsafe(`COPY mementor.${table} (${columns}) FROM '${join(directory, table)}'`);
  const file = join(directory, "chunk_vectors");
  await admin.unsafe(`COPY mementor.chunk_vectors (${VECTOR_COLUMNS}) FROM '${file}' (FORMAT binary)`);
  await admin.unsafe(
    `UPDATE mementor.projects SET active_model = 1, last_turn = $2, last_chunk = $3 WHERE project_id = $1`,
    [id, Math.ceil(chunks / SHAPE.chunksATurn), chunks],
  );
  // What the triggers would have counted; of bytes, only the texts.
  await admin.unsafe(
    `INSERT INTO mementor.usage (project_id, author, bytes, rows, turns, turn_words, chunks, chunk_words)
     SELECT t.project_id, t.author, 2 * t.bytes + 2 * c.bytes, t.n + 2 * c.n, t.n, t.words, c.n, c.words FROM
       (SELECT project_id, author, count(*) AS n, sum(length) AS words, sum(octet_length(full_text)) AS bytes
         FROM mementor.turns WHERE project_id = $1 GROUP BY 1, 2) t
       JOIN (SELECT author, count(*) AS n, sum(length) AS words, sum(octet_length(content)) AS bytes
         FROM mementor.chunks WHERE project_id = $1 GROUP BY 1) c USING (author)`,
    [id],
  );
}
