import type { Clean } from "../../../redact/gate.ts";
import type { WriteBatch, WriteResult } from "../../types.ts";
import { cleanBatch } from "../../write/gate.ts";
import type { TeamProject } from "../query.ts";
import { storableAll } from "../text.ts";
import { type ChunkOwner, writeChunks } from "./chunks.ts";
import { writeDetails } from "./details.ts";
import {
  writeCompactions,
  writeCopies,
  writePrLinks,
  writeSessions,
  writeSource,
  writeSubagents,
  writeTranscripts,
} from "./facts.ts";
import { type Ids, reserveIds } from "./ids.ts";
import { withoutRemoved } from "./removed.ts";
import { giveUpLines, placeTurns } from "./turns.ts";
import type { Writer } from "./writer.ts";

/** Stores a batch and moves the cursor in one transaction. Storing the same batch again changes nothing. */
export async function writeBatch(
  project: TeamProject,
  now: () => string,
  given: WriteBatch,
): Promise<WriteResult> {
  const batch = storableAll(cleanBatch(given));
  const reserve = await reserveIds(project, {
    turns: batch.turns.length,
    chunks: batch.turns.reduce((sum, { chunks }) => sum + chunks.length, 0),
    sources: 1,
  });
  return project.write((database) => write({ database, now }, reserve(), batch));
}

async function write(writer: Writer, ids: Ids, given: Clean<WriteBatch>): Promise<WriteResult> {
  const { database } = writer;
  const batch = await withoutRemoved(database, given);
  const source = { id: await writeSource(writer, batch.source, ids), path: batch.source.path };
  if (batch.rewritten) await giveUpLines(database, source.id);
  await writeSessions(database, batch);
  await writeSubagents(database, batch.subagents);

  const placed = await placeTurns(writer, ids, source, batch);
  const written = batch.turns.flatMap(({ turn, chunks }, i): ChunkOwner[] => {
    const place = placed[i];
    return place === undefined || place.kept ? [] : [{ id: place.id, turn, chunks }];
  });
  const { chunksWritten, vectorsReused } = await writeChunks(writer, ids, written);
  await writeDetails(database, written);
  await writeCopies(database, source.id, batch.copies);
  await writePrLinks(database, batch.prLinks);
  await writeCompactions(writer, source.id, batch.compactions);
  await writeTranscripts(database, batch);
  const turnsInserted = placed.filter(({ inserted }) => inserted).length;
  return { turnsInserted, turnsUpdated: placed.length - turnsInserted, chunksWritten, vectorsReused };
}
