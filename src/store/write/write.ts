import type { Turn } from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import { withoutOwn } from "../export/guard.ts";
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
export function writeBatch(c: Connection, given: WriteBatch): WriteResult {
  const result: WriteResult = { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 };
  c.transaction(() => {
    const batch = withoutForgotten(c, withoutOwn(c, given));
    const source = { id: writeSource(c, batch.source), path: batch.source.path };
    if (batch.rewritten) giveUpLines(c, source.id);
    writeSessions(c, batch);
    writeSubagents(c, batch.subagents);

    const bases = new Map<string, number>();
    const baseOf = (sessionId: string, agentId: string | null): number => {
      const key = `${agentId ?? ""}\n${sessionId}`;
      const base = bases.get(key) ?? lineBase(c, source, sessionId, agentId);
      bases.set(key, base);
      return base;
    };
    releaseMissing(c, source.id, batch, baseOf);
    for (const { turn, chunks } of batch.turns) {
      const line = lineOf(c, turn, baseOf);
      const placed = placeTurn(c, source.id, turn, line, batch);
      result[placed.inserted ? "turnsInserted" : "turnsUpdated"]++;
      if (placed.kept) continue;
      const written = writeChunks(c, placed.id, turn.fullText, chunks, placed.textChanged);
      result.chunksWritten += written.chunksWritten;
      result.vectorsReused += written.vectorsReused;
      writeTurnDetails(c, placed.id, turn);
    }

    for (const copy of batch.copies) {
      c.run(
        "INSERT OR IGNORE INTO turn_copies SELECT ?, ?, id FROM turns WHERE id = ?",
        copy.sessionId,
        copy.lineIndex + baseOf(copy.sessionId, null),
        copy.turnId,
      );
    }
    writePrLinks(c, batch.prLinks);
    writeCompactions(c, batch.compactions, (sessionId) => baseOf(sessionId, null));
    writeProgress(c, batch);
  });
  return result;
}

/** The turn's line; an imported one whose transcript no longer had it gets one that says so too. */
function lineOf(
  c: Connection,
  turn: Turn,
  baseOf: (sessionId: string, agentId: string | null) => number,
): number {
  if (turn.lineIndex >= 0) return turn.lineIndex + baseOf(turn.sessionId, turn.agentId);
  const last = c.get<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'turns'");
  return -1 - (last?.id ?? 0);
}
