import type { Database } from "bun:sqlite";
import type { Chunk } from "../../../domain.ts";
import { type Clean, type CleanString, clean } from "../../../redact/gate.ts";
import { keywordText } from "../../../text/keywords.ts";
import { mapText } from "../../../turn/grammar.ts";
import { type TextRange, type VectorRank, vectorRanks } from "../../../turn/parts.ts";
import type { TurnPart, TurnText } from "../../../turn/text.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { writeParts } from "../turns/columns.ts";
import { cleanChunks } from "./gate.ts";

/** The desired chunks of a turn. */
export interface TurnChunks {
  turnId: number;
  text: CleanString;
  parts: readonly TurnPart[];
  chunks: readonly Clean<Chunk>[];
  textChanged: boolean;
  /** True when the caller stores vectors of new chunks, so that no existing ones are reused. */
  bringsVectors?: boolean;
  /** Queue for the keywords, if the caller writes them together with those of other turns. */
  keywords?: KeywordQueue;
}

/** Replaces a turn's chunks. Chunks with unchanged text keep their row; others reuse vectors of the same text elsewhere. */
export function writeChunks(connection: Connection, given: TurnChunks): Written {
  const { turnId, text, textChanged, keywords = new KeywordQueue() } = given;
  if (textChanged) keywords.addTurn(turnId, text);
  const written = writeRows(connection, given, keywords);
  if (given.keywords === undefined) writeKeywords(connection, keywords);
  return written;
}

interface Written {
  chunksWritten: number;
  vectorsReused: number;
}

function writeRows(
  connection: Connection,
  { turnId, parts, chunks, bringsVectors = false }: TurnChunks,
  keywords: KeywordQueue,
): Written {
  const ranked = rankedChunks(parts, chunks);
  const { wanted, spare, unchanged } = matchChunks(existingChunks(connection, turnId), ranked);
  rankKept(connection, wanted);
  if (unchanged) return { chunksWritten: 0, vectorsReused: 0 };
  const kept = wanted.flatMap(({ kept }) => kept ?? []);

  if (kept.length > 0 || spare.length > 0)
    connection.run("UPDATE chunks SET chunk_index = -1 - chunk_index WHERE turn_id = ?", turnId);
  let vectorsReused = 0;
  const twins = new Map<string, number>();
  for (const { chunk, hash, kept } of wanted) {
    if (kept !== undefined) moveChunk(connection, kept.id, chunk);
    else {
      const id = insertChunk(connection, turnId, chunk, hash);
      keywords.addChunk(id, chunk.content);
      const looks = chunk.rank !== null && !bringsVectors;
      if (looks && copyVectors(connection, id, turnId, hash, twins.get(chunk.content))) vectorsReused++;
      twins.set(chunk.content, id);
    }
  }
  for (const row of spare) connection.run("DELETE FROM chunks WHERE id = ?", row.id);
  vectorsReused += countEmbedded(connection, kept);
  return { chunksWritten: chunks.length - kept.length, vectorsReused };
}

function existingChunks(connection: Connection, turnId: number): ExistingChunk[] {
  return connection.all<ExistingChunk>(
    `SELECT id, chunk_index AS chunkIndex, lower(hex(content_hash)) AS hash, start, "end"
     FROM chunks WHERE turn_id = ? ORDER BY chunk_index`,
    turnId,
  );
}

function moveChunk(connection: Connection, id: number, chunk: Chunk): void {
  connection.run(`UPDATE chunks SET chunk_index = $chunkIndex, start = $start, "end" = $end WHERE id = $id`, {
    ...chunk,
    id,
  });
}

type RankedChunk = Clean<Chunk> & { rank: VectorRank };

function rankedChunks(parts: readonly TurnPart[], chunks: readonly Clean<Chunk>[]): RankedChunk[] {
  const ranks = vectorRanks(parts, chunks);
  return chunks.map((chunk, at) => ({ ...chunk, rank: ranks[at] ?? null }));
}

/** Updates the ranks of kept chunks when their turn has grown or its parts changed. */
function rankKept(connection: Connection, wanted: ChunkMatches<RankedChunk>["wanted"]): void {
  for (const { chunk, kept } of wanted)
    if (kept !== undefined)
      connection.run(
        "UPDATE chunks SET vector_rank = ?1 WHERE id = ?2 AND vector_rank IS NOT ?1",
        chunk.rank,
        kept.id,
      );
}

function insertChunk(connection: Connection, turnId: number, chunk: RankedChunk, hash: Uint8Array): number {
  return connection.run(
    `INSERT INTO chunks (turn_id, chunk_index, content, content_hash, start, "end", vector_rank)
     VALUES ($turnId, $chunkIndex, $content, $hash, $start, $end, $rank)`,
    { ...chunk, turnId, hash },
  ).lastId;
}

/**
 * Copies vectors from chunks with the same text. If the turn itself has such a chunk (`twin`), copies only from that one, so that
 * a text with one repeated line searches once.
 */
function copyVectors(
  connection: Connection,
  chunkId: number,
  turnId: number,
  hash: Uint8Array,
  twin: number | undefined,
): boolean {
  const [same, key] = twin === undefined ? ["o.content_hash = ?2 AND o.id <> ?1", hash] : ["o.id = ?2", twin];
  if (connection.get(`SELECT 1 FROM chunks o WHERE ${same} AND ?1 LIMIT 1`, chunkId, key) === null)
    return false;
  const { changes } = connection.run(
    `INSERT INTO chunk_vectors (chunk_id, model_id, embedding)
       SELECT ?1, v.model_id, v.embedding FROM chunks o CROSS JOIN chunk_vectors v ON v.chunk_id = o.id
       WHERE ${same} GROUP BY v.model_id`,
    chunkId,
    key,
  );
  if (changes === 0) return false;
  connection.run(
    `INSERT INTO chunk_bits (model_id, chunk_id, turn_id, bits)
       SELECT b.model_id, ?1, ?3, b.bits FROM chunks o CROSS JOIN models m
         CROSS JOIN chunk_bits b ON b.model_id = m.id AND b.chunk_id = o.id
       WHERE ${same} GROUP BY b.model_id`,
    chunkId,
    key,
    turnId,
  );
  return true;
}

function countEmbedded(connection: Connection, kept: readonly ExistingChunk[]): number {
  const ids = JSON.stringify(kept.map((row) => row.id));
  return (
    connection.get<{ n: number }>(
      "SELECT count(DISTINCT v.chunk_id) AS n FROM json_each(?) j CROSS JOIN chunk_vectors v ON v.chunk_id = j.value",
      ids,
    )?.n ?? 0
  );
}

/** Replaces the text of a stored turn. Chunks with unchanged text keep their vectors; the others get new ones later. */
export function replaceText(
  connection: Connection,
  turnId: number,
  given: TurnText,
  chunks: readonly Chunk[],
): void {
  const { text: stored, parts } = mapText(given, clean);
  connection.run("UPDATE turns SET full_text = ? WHERE id = ?", stored, turnId);
  writeParts(connection, turnId, { parts });
  const cleaned = cleanChunks(given.text, stored, chunks);
  writeChunks(connection, { turnId, text: stored, parts, chunks: cleaned, textChanged: true });
}

/**
 * Collects texts to index by keywords. Any other statement in between makes SQLite flush the collected words as an index segment
 * of its own, which is merged later, so the words of many rows are written in one go.
 */
export class KeywordQueue {
  readonly turns = new Map<number, CleanString>();
  readonly chunks = new Map<number, CleanString>();

  /** Adds the text of a turn, and replaces an earlier one. */
  addTurn(turnId: number, text: CleanString): void {
    this.turns.set(turnId, text);
  }

  /** Adds the text of a new chunk. */
  addChunk(chunkId: number, text: CleanString): void {
    this.chunks.set(chunkId, text);
  }
}

/** Indexes the queued texts in the same transaction as the rows themselves. Skips chunks that were removed meanwhile. */
export function writeKeywords(connection: Connection, { turns, chunks }: KeywordQueue): void {
  for (const id of turns.keys()) connection.run("DELETE FROM turn_keywords WHERE rowid = ?", id);
  for (const [id, text] of turns)
    connection.run("INSERT INTO turn_keywords (rowid, text) VALUES (?, ?)", id, keywordText(text));
  const there = new Set(storedChunks(connection, [...chunks.keys()]));
  // Only a plain single-row statement does not flush the words that the index has collected.
  for (const [id, text] of chunks)
    if (there.has(id))
      connection.run("INSERT INTO chunk_keywords (rowid, text) VALUES (?, ?)", id, keywordText(text));
}

function storedChunks(connection: Connection, ids: readonly number[]): number[] {
  const sql = "SELECT c.id FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value";
  return connection.column<number>(sql, JSON.stringify(ids));
}

/** A stored chunk of a turn. */
interface ExistingChunk extends Omit<Chunk, "content"> {
  id: number;
  /** Hexadecimal. */
  hash: string;
}

interface ChunkMatches<Wanted extends Chunk> {
  /** The desired chunks, each with the stored chunk that it keeps. */
  wanted: { chunk: Wanted; hash: Uint8Array; kept: ExistingChunk | undefined }[];
  /** Stored chunks that no longer belong to the turn. */
  spare: ExistingChunk[];
  /** True when the stored chunks are exactly the desired ones. */
  unchanged: boolean;
}

/** Half a SHA-256 distinguishes texts, and halves the index. */
const HASH_BYTES = 16;

/** Returns the hash that identifies a chunk's text in the whole database. */
export function contentHash(content: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(content).digest().subarray(0, HASH_BYTES);
}

/** Finds the stored chunk with the same text for each chunk of a turn. */
function matchChunks<Wanted extends Chunk>(
  existing: readonly ExistingChunk[],
  chunks: readonly Wanted[],
): ChunkMatches<Wanted> {
  const free = Map.groupBy(existing, (row) => row.hash);
  const wanted = chunks.map((chunk) => {
    const hash = contentHash(chunk.content);
    return { chunk, hash, kept: free.get(Buffer.from(hash).toString("hex"))?.shift() };
  });
  const spare = [...free.values()].flat();
  const unchanged =
    spare.length === 0 && wanted.every(({ chunk, kept }) => kept !== undefined && isInPlace(kept, chunk));
  return { wanted, spare, unchanged };
}

function isInPlace(row: ExistingChunk, chunk: Chunk): boolean {
  return row.chunkIndex === chunk.chunkIndex && row.start === chunk.start && row.end === chunk.end;
}

type UnrankedChunk = TextRange & { id: number };

/** Ranks the chunks of all turns: those of an older or damaged database. */
export function fillVectorRanks(db: Database): void {
  const chunksOf = db.query<UnrankedChunk, [number]>(
    'SELECT id, start, "end" FROM chunks WHERE turn_id = ? ORDER BY chunk_index',
  );
  const update = db.query("UPDATE chunks SET vector_rank = ?1 WHERE id = ?2 AND vector_rank IS NOT ?1");
  const turns = db.query<{ id: number; parts: string }, []>(
    "SELECT turn_id AS id, parts FROM turn_parts WHERE json_valid(parts)",
  );
  for (const { id, parts } of turns.all()) {
    const chunks = chunksOf.all(id);
    const ranks = vectorRanks(decodeParts(parts), chunks);
    for (const [at, chunk] of chunks.entries()) update.run(ranks[at] ?? null, chunk.id);
  }
}
