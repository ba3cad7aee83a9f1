import type { TeamTurn } from "../../team.ts";
import { encodeParts } from "../../turn-rows.ts";
import type { Statements } from "../client/database.ts";
import { insertRows } from "../client/insert.ts";
import { json, type ProjectDatabase, type SqlValue, storableText } from "../query.ts";
import { type IndexedWords, indexWords } from "../search/keywords.ts";

/** The project and author of turns to write. */
export interface TurnOwner {
  deviceId: string;
  firstChunk: number;
  /** Ids of models in the project, by name. */
  models: ReadonlyMap<string, number>;
}

export interface PlacedTurn {
  id: number;
  turnKey: Uint8Array;
  turn: TeamTurn;
}

/** Stores turns with all their rows; their sessions must exist. Leaves out unshared turns. */
export async function writeTurns(
  sql: Statements,
  database: ProjectDatabase,
  turns: readonly PlacedTurn[],
  { deviceId, firstChunk, models }: TurnOwner,
): Promise<void> {
  const { project } = database;
  await insertRows(
    sql,
    { table: "mementor.turns", columns: TURN_COLUMNS },
    withWords(
      project,
      turns,
      ({ turn }) => turn.text,
      (placed, words) => [project, ...turnValues(placed, deviceId), ...words],
    ),
  );
  await database.run("SELECT mementor.count_new('turns')");
  const stored = await withoutTombstoned(database, turns);
  await insertRows(
    sql,
    { table: "mementor.file_mentions", columns: MENTION_COLUMNS, suffix: "ON CONFLICT DO NOTHING" },
    stored.flatMap(({ id, turn }) =>
      turn.mentions.map(({ filePath, toolName }) => [
        project,
        id,
        storableText(filePath),
        nameOf(filePath),
        storableText(toolName),
      ]),
    ),
  );
  await insertRows(
    sql,
    { table: "mementor.commits", columns: COMMIT_COLUMNS, suffix: "ON CONFLICT DO NOTHING" },
    stored.flatMap(({ id, turn }) =>
      turn.commits.map(({ hash, message }) => [project, id, storableText(hash), storableText(message)]),
    ),
  );
  await writeChunks(sql, database, stored, { firstChunk, models });
}

/** Returns the turns that no tombstone has removed. The insert holds a lock that a tombstone waits for. */
async function withoutTombstoned(
  database: ProjectDatabase,
  turns: readonly PlacedTurn[],
): Promise<PlacedTurn[]> {
  const rows = await database.column<number>(
    `SELECT t.turn_id AS id FROM mementor.turns t WHERE t.project_id = :project AND t.turn_id IN
       (SELECT value::bigint FROM jsonb_array_elements_text(?::text::jsonb))`,
    json(turns.map(({ id }) => id)),
  );
  const ids = new Set(rows);
  return turns.filter(({ id }) => ids.has(id));
}

async function writeChunks(
  sql: Statements,
  { project }: ProjectDatabase,
  turns: readonly PlacedTurn[],
  { firstChunk, models }: Omit<TurnOwner, "deviceId">,
): Promise<void> {
  const chunks = turns
    .flatMap(({ id, turn }) =>
      turn.chunks.map((chunk) => ({ chunk, turnId: id, modelId: models.get(turn.vectorModel?.id ?? "") })),
    )
    .map((placed, i) => ({ ...placed, id: firstChunk + i }));
  await insertRows(
    sql,
    { table: "mementor.chunks", columns: CHUNK_COLUMNS },
    withWords(
      project,
      chunks,
      ({ chunk }) => chunk.content,
      ({ id, turnId, chunk: { chunkIndex, start, end, content } }, words) => [
        project,
        id,
        turnId,
        chunkIndex,
        start,
        end,
        storableText(content),
        ...words,
      ],
    ),
  );
  await sql.run("SELECT mementor.count_new('chunks')");
  const texts = new HalfTexts();
  await insertRows(
    sql,
    { table: "mementor.chunk_vectors", columns: VECTOR_COLUMNS },
    chunks.values().flatMap(({ id, turnId, modelId, chunk: { vector } }) => {
      if (vector === null || modelId === undefined) return [];
      return [[project, modelId, id, turnId, texts.of(vector)]];
    }),
  );
}

/** Number of texts to index at once: about 30 ms for whole turns, during which no server answer is read. */
const TEXTS_AT_ONCE = 50;

/** Builds rows with the index entries of their texts, several at a time. */
function* withWords<Item>(
  project: number,
  items: readonly Item[],
  textOf: (item: Item) => string,
  rowOf: (item: Item, words: SqlValue[]) => SqlValue[],
): Generator<SqlValue[]> {
  for (let first = 0; first < items.length; first += TEXTS_AT_ONCE) {
    const some = items.slice(first, first + TEXTS_AT_ONCE);
    const words = indexWords(project, some.map(textOf));
    for (const [i, item] of some.entries()) yield rowOf(item, wordValues(words[i]));
  }
}

const WORD_COLUMNS = { words: "tsvector", repeats: "jsonb", length: "integer" };

const TURN_COLUMNS = {
  project_id: "bigint",
  turn_id: "bigint",
  device_id: "uuid",
  turn_key: "bytea",
  session_id: "text",
  role: "text",
  origin: "text",
  agent_id: "text",
  is_sidechain: "boolean",
  created_at: "text",
  ended_at: "text",
  branch: "text",
  model: "text",
  client_version: "text",
  prompt_uuid: "text",
  tool_summary: "text",
  parts: "text",
  full_text: "text",
  ...WORD_COLUMNS,
};

const CHUNK_COLUMNS = {
  project_id: "bigint",
  chunk_id: "bigint",
  turn_id: "bigint",
  chunk_index: "integer",
  start: "integer",
  '"end"': "integer",
  content: "text",
  ...WORD_COLUMNS,
};

const VECTOR_COLUMNS = {
  project_id: "bigint",
  model_id: "integer",
  chunk_id: "bigint",
  turn_id: "bigint",
  embedding: "halfvec",
};

const MENTION_COLUMNS = {
  project_id: "bigint",
  turn_id: "bigint",
  file_path: "text",
  file_name: "text",
  tool_name: "text",
};

const COMMIT_COLUMNS = { project_id: "bigint", turn_id: "bigint", hash: "text", message: "text" };

function turnValues({ id, turnKey, turn }: PlacedTurn, deviceId: string): SqlValue[] {
  const text = (value: string | null) => (value === null ? null : storableText(value));
  return [
    id,
    deviceId,
    turnKey,
    storableText(turn.session.sessionId),
    "turn",
    turn.origin,
    text(turn.agentId),
    turn.isSidechain,
    turn.createdAt,
    turn.endedAt,
    text(turn.branch),
    text(turn.model),
    text(turn.clientVersion),
    text(turn.promptUuid),
    json(turn.toolSummary),
    encodeParts(turn.parts),
    storableText(turn.text),
  ];
}

function wordValues(words: IndexedWords | undefined): SqlValue[] {
  return [words?.words ?? "", words?.repeats ?? null, words?.length ?? 0];
}

/** Returns the last segment of a path; null for URLs. */
function nameOf(path: string): string | null {
  if (path.includes("://")) return null;
  const name = path.split(/[/\\]/).findLast((segment) => segment !== "");
  return name === undefined ? null : storableText(name);
}

/**
 * Formats vectors in pgvector's `halfvec` syntax. Rounds each number to half precision, which has 65,536 values, so that the text
 * of each value is made once per instance. Five digits distinguish neighbouring values.
 */
export class HalfTexts {
  readonly #texts: string[] = [];

  of(vector: Float32Array): string {
    const halves = new Float16Array(vector);
    const bits = new Uint16Array(halves.buffer);
    const texts = new Array<string>(bits.length);
    for (let i = 0; i < bits.length; i++) texts[i] = this.#text(bits[i] ?? 0, halves[i] ?? 0);
    return `[${texts.join(",")}]`;
  }

  #text(bits: number, value: number): string {
    this.#texts[bits] ??= String(Number(value.toPrecision(5)));
    return this.#texts[bits];
  }
}
