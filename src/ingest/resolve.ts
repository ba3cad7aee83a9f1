import type { Turn, TurnCopy } from "../domain.ts";
import type { KnownEntry } from "../store/contract/types/stored.ts";
import { composeTurn } from "../transcript/compose.ts";
import type { RawTurn } from "../transcript/transcript.ts";

/** How to store a turn, given which of its entries are already indexed elsewhere. */
export interface Resolved {
  turn: Turn | null;
  copy: TurnCopy | null;
}

export function uuidsOf(raw: RawTurn): string[] {
  return raw.entries.flatMap((entry) => entry.uuid ?? []);
}

/** Whether an indexed entry belongs to the turn that is read again, not to a copy of it. */
function isOwn(raw: RawTurn, known: KnownEntry): boolean {
  const sameThread = known.sessionId === raw.sessionId && known.agentId === raw.agentId;
  return sameThread && known.promptUuid === (raw.entries[0]?.uuid ?? null);
}

/** The turns that are read together, by place and prompt, with their current entries. */
export type ReadTurns = ReadonlyMap<string, ReadonlySet<string>>;

export function readTurns(turns: readonly RawTurn[]): ReadTurns {
  return new Map(turns.map((raw) => [turnKey(raw, raw.entries[0]?.uuid ?? null), new Set(uuidsOf(raw))]));
}

function turnKey(place: { sessionId: string; agentId: string | null }, promptUuid: string | null): string {
  return `${promptUuid ?? ""}\n${place.agentId ?? ""}\n${place.sessionId}`;
}

/** Whether a turn that is read again used to have the entry, and no longer has it. */
function isGivenUp(uuid: string, known: KnownEntry, read: ReadTurns): boolean {
  return read.get(turnKey(known, known.promptUuid))?.has(uuid) === false;
}

/**
 * Composes a turn from the entries that no other turn holds. Resume and fork copy history with its uuids into another
 * transcript. A turn without new entries is stored only as a copy: a record that this session has seen that turn too.
 */
export function resolveTurn(raw: RawTurn, known: ReadonlyMap<string, KnownEntry>, read: ReadTurns): Resolved {
  const elsewhere = new Map<string, KnownEntry>();
  for (const uuid of uuidsOf(raw)) {
    const entry = known.get(uuid);
    if (entry && !isOwn(raw, entry) && !isGivenUp(uuid, entry, read)) elsewhere.set(uuid, entry);
  }
  const original = elsewhere.get(raw.entries[0]?.uuid ?? "");
  const copy =
    original && original.sessionId !== raw.sessionId
      ? { sessionId: raw.sessionId, lineIndex: raw.lineIndex, turnId: original.turnId }
      : null;
  return { turn: composeTurn(raw, new Set(elsewhere.keys())), copy };
}
