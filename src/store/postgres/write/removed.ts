import type { Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { turnKey } from "../../team/digest.ts";
import type { WriteBatch } from "../../types.ts";
import { lineOf } from "../../write/placing.ts";
import { TEXTS } from "../columns.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";

/** Returns a batch without the turns that were removed for good, and without sessions of which nothing else is left. */
export async function withoutRemoved(
  database: ProjectDatabase,
  batch: Clean<WriteBatch>,
): Promise<Clean<WriteBatch>> {
  const keys = batch.turns.map(({ turn }) => keyOf(turn, batch));
  const rows = await database.all<{ key: string }>(
    `SELECT j.value AS key FROM ${TEXTS} JOIN mementor.tombstones b
       ON b.project_id = :project AND b.target = current_user AND b.turn_key = decode(j.value, 'hex')`,
    json(keys),
  );
  if (rows.length === 0) return batch;
  const removed = new Set(rows.map(({ key }) => key));
  const turns = batch.turns.filter((_, i) => !removed.has(keys[i] ?? ""));
  const gone = new Set<string>(batch.turns.map(({ turn }) => turn.sessionId)).difference(
    new Set<string>(turns.map(({ turn }) => turn.sessionId)),
  );
  const stays = ({ sessionId }: { sessionId: string }) => !gone.has(sessionId);
  return {
    ...batch,
    turns,
    sessions: batch.sessions.filter(stays),
    subagents: batch.subagents.filter(stays),
    copies: batch.copies.filter(stays),
    prLinks: batch.prLinks.filter(stays),
    compactions: batch.compactions.filter(stays),
  };
}

/** Returns the key of a turn that is written straight to the database, in hexadecimal. */
export function keyOf(turn: Clean<Turn>, { sessions }: Clean<WriteBatch>): string {
  const client = sessions.find(({ sessionId }) => sessionId === turn.sessionId)?.client ?? "claude-code";
  return Buffer.from(turnKey({ ...turn, client, lineIndex: lineOf(turn) })).toString("hex");
}
