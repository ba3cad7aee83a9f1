import type { Turn } from "../domain.ts";
import type { Connection } from "./connection.ts";

export type TombstoneKind = "session" | "prompt" | "place";

type TurnPlace = Pick<Turn, "sessionId" | "agentId" | "lineIndex" | "promptUuid">;

/** True when the turn or its session was forgotten on purpose. */
export function isForgotten(c: Connection, turn: TurnPlace): boolean {
  return hasTombstone(c, "session", turn.sessionId) || hasTombstone(c, ...turnKey(turn));
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
