import type { Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { encodeFailures, encodeParts } from "../../turns/parts.ts";
import type { WriteBatch } from "../../types.ts";
import { entryKey } from "../../write/entry-key.ts";
import { fates, lineOf, type PlacedTurn, type Source } from "../../write/placing.ts";
import { IDS, TEXTS } from "../columns.ts";
import type { ProjectDatabase } from "../query.ts";
import { WordIndexer } from "../search/word-indexer.ts";
import { json } from "../text.ts";
import type { Ids } from "./ids.ts";
import { candidates, Places } from "./places.ts";
import { keyOf } from "./removed.ts";
import type { Writer } from "./writer.ts";

/**
 * Removes the line indexes of all turns of a source. The turns stay stored, and are found again by their prompts.
 * Removes boundaries and copies that were read from the source, since their lines have other content now.
 */
export async function giveUpLines(database: ProjectDatabase, sourceId: number): Promise<void> {
  const ofSource = "WHERE project_id = :project AND author = current_user AND source_id = ?";
  await database.run(
    `UPDATE mementor.turns SET line_index = NULL, provisional = false ${ofSource} AND line_index IS NOT NULL`,
    sourceId,
  );
  await database.run(`DELETE FROM mementor.turn_copies ${ofSource}`, sourceId);
  await database.run(`DELETE FROM mementor.compactions ${ofSource} AND NOT provisional`, sourceId);
}

/** A turn of the batch and the row that it becomes. */
interface Written {
  id: number;
  inserted: boolean;
  turn: Clean<Turn>;
}

/**
 * Stores the turns of a batch, each in the row of the same turn if there is one. Turns of the lines that the batch covers
 * but that are not in the batch lose their line. Returns the place of each turn, in order.
 */
export async function placeTurns(
  writer: Writer,
  ids: Ids,
  source: Source,
  batch: Clean<WriteBatch>,
): Promise<PlacedTurn[]> {
  const { database } = writer;
  const places = new Places(await candidates(database, source, batch), source);
  places.releaseMissing(batch, fates(batch));
  const placed: PlacedTurn[] = [];
  const written = new Map<number, Written>();
  for (const { turn } of batch.turns) {
    const place = await places.place(turn, {
      newId: () => ids.take("turns"),
      hasMore: (id) => hasMore(database, id, turn, batch),
    });
    placed.push(place);
    if (place.kept) continue;
    written.set(place.id, {
      id: place.id,
      inserted: place.inserted || written.get(place.id)?.inserted === true,
      turn,
    });
  }
  await clearLines(database, places, [...written.keys()]);
  await putBack(database, source, places);
  await insertOrUpdate(writer, source, batch, [...written.values()]);
  return placed;
}

/** Frees the lines of all rows that lose or change their place, so that rows can take each other's. */
async function clearLines(
  database: ProjectDatabase,
  places: Places,
  written: readonly number[],
): Promise<void> {
  const { removed, released, restored } = places;
  if (removed.size > 0)
    await database.run(
      `DELETE FROM mementor.turns t USING ${IDS} WHERE t.project_id = :project AND t.turn_id = j.value`,
      json([...removed]),
    );
  await database.run(
    `UPDATE mementor.turns t SET line_index = NULL, provisional = false FROM ${IDS}
     WHERE t.project_id = :project AND t.turn_id = j.value`,
    json([...released, ...written, ...restored.keys()]),
  );
}

/** Gives kept turns that had lost their line the line of the batch. */
async function putBack(database: ProjectDatabase, source: Source, { restored }: Places): Promise<void> {
  for (const [id, turn] of restored)
    await database.run(
      `UPDATE mementor.turns SET line_index = ?, source_id = ?, provisional = ?
       WHERE project_id = :project AND turn_id = ?`,
      lineOf(turn),
      source.id,
      turn.provisional,
      id,
    );
}

/**
 * Whether the stored turn has all entries of this turn and more, and no other turn has those. Then the file was cut
 * off or is an older copy, and the stored turn is kept.
 */
async function hasMore(
  database: ProjectDatabase,
  id: number,
  turn: Clean<Turn>,
  { turns }: Clean<WriteBatch>,
): Promise<boolean> {
  const counted = await database.get<{ n: number }>(
    "SELECT count(*) AS n FROM mementor.entries WHERE project_id = :project AND turn_id = ?",
    id,
  );
  const uuids = new Set(turn.entryUuids);
  if ((counted?.n ?? 0) <= uuids.size) return false;
  const owned = async (of: Iterable<string>) =>
    (
      await database.get<{ n: number }>(
        `SELECT count(DISTINCT e.uuid) AS n FROM ${TEXTS} JOIN mementor.entries e
           ON e.project_id = :project AND e.author = current_user AND e.uuid = j.value WHERE e.turn_id = ?`,
        json([...of].map(entryKey)),
        id,
      )
    )?.n ?? 0;
  return (
    (await owned(uuids)) === uuids.size &&
    (await owned(turns.flatMap((other) => other.turn.entryUuids))) === uuids.size
  );
}

const COLUMNS = {
  session_id: "text",
  source_id: "bigint",
  line_index: "bigint",
  provisional: "boolean",
  role: "text",
  origin: "text",
  agent_id: "text",
  is_sidechain: "boolean",
  created_at: "text",
  ended_at: "text",
  branch: "text",
  cwd: "text",
  model: "text",
  client_version: "text",
  prompt_uuid: "text",
  foreign_origin: "text",
  tool_summary: "text",
  parts: "text",
  failures: "text",
  full_text: "text",
  length: "integer",
} as const;
const NAMES = Object.keys(COLUMNS);
const ROWS = `json_to_recordset(?::text::json) AS r (turn_id bigint, turn_key text, words text, repeats text, ${Object.entries(
  COLUMNS,
)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ")})`;

async function insertOrUpdate(
  writer: Writer,
  source: Source,
  batch: Clean<WriteBatch>,
  written: readonly Written[],
): Promise<void> {
  const { database } = writer;
  const words = new WordIndexer(database.project).index(written.map(({ turn }) => turn.text));
  const rows = written.map(({ id, turn, inserted }, i) => ({
    inserted,
    row: { turn_id: id, ...words[i], ...columnsOf(turn, source, batch), turn_key: keyOf(turn, batch) },
  }));
  const updated = rows.filter(({ inserted }) => !inserted).map(({ row }) => row);
  if (updated.length > 0)
    await database.run(
      `UPDATE mementor.turns t SET words = r.words::tsvector, repeats = r.repeats::jsonb,
         ${NAMES.map((name) => (name === "prompt_uuid" ? "prompt_uuid = coalesce(r.prompt_uuid, t.prompt_uuid)" : `${name} = r.${name}`)).join(", ")}
       FROM ${ROWS} WHERE t.project_id = :project AND t.turn_id = r.turn_id`,
      json(updated),
    );
  const inserted = rows.filter(({ inserted }) => inserted).map(({ row }) => row);
  if (inserted.length === 0) return;
  // Without prompts that tell them apart, two turns may have one key: the first has it.
  await database.run(
    `INSERT INTO mementor.turns (project_id, turn_id, turn_key, words, repeats, ${NAMES.join(", ")})
     SELECT :project, r.turn_id,
       CASE WHEN row_number() OVER (PARTITION BY r.turn_key ORDER BY r.turn_id) = 1 AND NOT EXISTS (SELECT 1
         FROM mementor.turns k WHERE k.project_id = :project AND k.author = current_user
           AND k.turn_key = decode(r.turn_key, 'hex')) THEN decode(r.turn_key, 'hex') END,
       r.words::tsvector, r.repeats::jsonb, ${NAMES.map((name) => `r.${name}`).join(", ")} FROM ${ROWS}`,
    json(inserted),
  );
}

function columnsOf(
  turn: Clean<Turn>,
  source: Source,
  { foreignOrigin }: Clean<WriteBatch>,
): Record<Exclude<keyof typeof COLUMNS, "length">, unknown> {
  const { failures } = turn;
  return {
    session_id: turn.sessionId,
    source_id: source.id,
    line_index: lineOf(turn),
    provisional: turn.provisional,
    role: turn.role,
    origin: turn.origin,
    agent_id: turn.agentId,
    is_sidechain: turn.isSidechain,
    created_at: turn.createdAt,
    ended_at: turn.endedAt,
    branch: turn.branch,
    cwd: turn.cwd,
    model: turn.model,
    client_version: turn.clientVersion,
    prompt_uuid: turn.promptUuid,
    foreign_origin: foreignOrigin ?? null,
    tool_summary: JSON.stringify(turn.toolSummary),
    parts: encodeParts(turn.parts),
    failures: failures === undefined || failures.length === 0 ? null : encodeFailures(failures),
    full_text: turn.text,
  };
}
