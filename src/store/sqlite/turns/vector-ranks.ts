import type { Database } from "bun:sqlite";
import type { Range } from "../../../turn/parts.ts";
import { vectorRanks } from "../../../turn/parts.ts";
import { decodeParts } from "../../turn-rows.ts";

type RankedChunk = Range & { id: number };

/** Ranks the chunks of all turns: those of an older or damaged database. */
export function fillVectorRanks(db: Database): void {
  const chunksOf = db.query<RankedChunk, [number]>(
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
