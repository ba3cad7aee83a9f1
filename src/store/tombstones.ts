import type { Turn } from "../domain.ts";
import type { Connection } from "./connection.ts";
import type { WriteBatch } from "./store.ts";

export type TombstoneKind = "session" | "prompt" | "place";

type TurnPlace = Pick<Turn, "sessionId" | "agentId" | "lineIndex" | "promptUuid">;

/** Returns the batch without what was forgotten on purpose. */
export function withoutForgotten(c: Connection, batch: WriteBatch): WriteBatch {
  if (c.get("SELECT 1 FROM tombstones LIMIT 1") === null) return batch;
  const known = new Map<string, boolean>();
  const stays = ({ sessionId }: { sessionId: string }): boolean => {
    const gone = known.get(sessionId) ?? hasTombstone(c, "session", sessionId);
    known.set(sessionId, gone);
    return !gone;
  };
  return {
    ...batch,
    sessions: batch.sessions.filter(stays),
    subagents: batch.subagents.filter(stays),
    turns: batch.turns.filter(({ turn }) => stays(turn) && !hasTombstone(c, ...turnKey(turn))),
    copies: batch.copies.filter(stays),
    prLinks: batch.prLinks.filter(stays),
    compactions: batch.compactions.filter(stays),
  };
}

/** Keeps the turn from coming back; what is stored tells nothing but itself. */
export function buryTurn(c: Connection, turn: TurnPlace): void {
  bury(c, ...turnKey(turn));
}

export function bury(c: Connection, kind: TombstoneKind, value: string): void {
  c.run(
    "INSERT OR IGNORE INTO tombstones (kind, hash, created_at) VALUES (?, ?, ?)",
    kind,
    tombstoneHash(kind, value),
    c.now(),
  );
}

function hasTombstone(c: Connection, kind: TombstoneKind, value: string): boolean {
  const sql = "SELECT 1 FROM tombstones WHERE kind = ? AND hash = ?";
  return c.get(sql, kind, tombstoneHash(kind, value)) !== null;
}

function turnKey(turn: TurnPlace): [kind: TombstoneKind, value: string] {
  if (turn.promptUuid !== null) return ["prompt", turn.promptUuid];
  return ["place", `${turn.sessionId}\n${turn.agentId ?? ""}\n${turn.lineIndex}`];
}

function tombstoneHash(kind: TombstoneKind, value: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(`${kind}\n${value}`).digest();
}
