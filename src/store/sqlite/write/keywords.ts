import type { CleanString } from "../../../redact/gate.ts";
import { keywordText } from "../../../text/keywords.ts";
import type { Connection } from "../connection/connection.ts";

/**
 * Texts that are to be indexed by their words. Another statement in between makes SQLite write out what the index has
 * gathered so far, as an index of its own that is merged later: so the words of many rows are written in one go.
 */
export class KeywordQueue {
  readonly turns = new Map<number, CleanString>();
  readonly chunks = new Map<number, CleanString>();

  /** Adds the text of a turn. The last one counts. */
  addTurn(turnId: number, text: CleanString): void {
    this.turns.set(turnId, text);
  }

  /** Adds the text of a new chunk. */
  addChunk(chunkId: number, text: CleanString): void {
    this.chunks.set(chunkId, text);
  }
}

/** Indexes what was queued, in the same transaction as the rows themselves. Skips chunks that were removed since. */
export function writeKeywords(connection: Connection, { turns, chunks }: KeywordQueue): void {
  for (const id of turns.keys()) connection.run("DELETE FROM turn_keywords WHERE rowid = ?", id);
  for (const [id, text] of turns)
    connection.run("INSERT INTO turn_keywords (rowid, text) VALUES (?, ?)", id, keywordText(text));
  const there = new Set(storedChunks(connection, [...chunks.keys()]));
  // Only such a statement, which writes a single row and asks nothing, leaves the index what it has gathered.
  for (const [id, text] of chunks)
    if (there.has(id))
      connection.run("INSERT INTO chunk_keywords (rowid, text) VALUES (?, ?)", id, keywordText(text));
}

function storedChunks(connection: Connection, ids: readonly number[]): number[] {
  const sql = "SELECT c.id FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value";
  return connection.column<number>(sql, JSON.stringify(ids));
}
