import type { Turn } from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutOwn } from "../export/fate.ts";
import { withoutForgotten } from "../forget/tombstones.ts";
import { lineBase } from "../turns/lines.ts";
import type { WriteBatch, WriteResult } from "../types.ts";
import { writeChunks } from "./chunks.ts";
import { writeTurnDetails } from "./details.ts";
import {
  writeCompactions,
  writePrLinks,
  writeProgress,
  writeSessions,
  writeSource,
  writeSubagents,
} from "./facts.ts";
import { giveUpLines, placeTurn, releaseMissing } from "./turns.ts";

/** Stores the batch and moves the cursor, all in one transaction; the same batch again changes nothing. */
export function writeBatch(connection: Connection, given: WriteBatch): WriteResult {
  const result: WriteResult = { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 };
  connection.transaction(() => {
    const batch = withoutForgotten(connection, withoutOwn(connection, given));
    const source = { id: writeSource(connection, batch.source), path: batch.source.path };
    if (batch.rewritten) giveUpLines(connection, source.id);
    writeSessions(connection, batch);
    writeSubagents(connection, batch.subagents);

    const bases = new Map<string, number>();
    const baseOf = (sessionId: string, agentId: string | null): number => {
      const key = `${agentId ?? ""}\n${sessionId}`;
      const base = bases.get(key) ?? lineBase(connection, source, sessionId, agentId);
      bases.set(key, base);
      return base;
    };
    releaseMissing(connection, source.id, batch, baseOf);
    for (const { turn, chunks } of batch.turns) {
      const line = lineOf(connection, turn, baseOf);
      const placed = placeTurn(connection, source.id, turn, line, batch);
      result[placed.inserted ? "turnsInserted" : "turnsUpdated"]++;
      if (placed.kept) continue;
      const written = writeChunks(connection, placed.id, turn.text, chunks, placed.textChanged);
      result.chunksWritten += written.chunksWritten;
      result.vectorsReused += written.vectorsReused;
      writeTurnDetails(connection, placed.id, turn);
    }

    for (const copy of batch.copies) {
      connection.run(
        "INSERT OR IGNORE INTO turn_copies SELECT ?, ?, id FROM turns WHERE id = ?",
        copy.sessionId,
        copy.lineIndex + baseOf(copy.sessionId, null),
        copy.turnId,
      );
    }
    writePrLinks(connection, batch.prLinks);
    writeCompactions(connection, batch.compactions, (sessionId) => baseOf(sessionId, null));
    writeProgress(connection, batch);
  });
  return result;
}

/** The turn's line; an imported one whose transcript no longer had it gets one that says so too. */
function lineOf(
  connection: Connection,
  turn: Turn,
  baseOf: (sessionId: string, agentId: string | null) => number,
): number {
  if (turn.lineIndex >= 0) return turn.lineIndex + baseOf(turn.sessionId, turn.agentId);
  const last = connection.get<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'turns'");
  return -1 - (last?.id ?? 0);
}
