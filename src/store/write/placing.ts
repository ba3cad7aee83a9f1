import { basename } from "node:path";
import type { Turn } from "../../domain.ts";
import type { Clean } from "../../redact/gate.ts";
import type { WriteBatch } from "../types.ts";

/** Which stored turn a turn of a transcript is. The stores find the candidates; these rules are the same for all. */

/** A transcript that turns are read from. */
export interface Source {
  id: number;
  path: string;
}

/** A stored turn that a turn of a transcript may be. */
export interface Existing {
  id: number;
  sourceId: number | null;
  /** Null when the transcript no longer has the turn. */
  lineIndex: number | null;
  provisional: number | boolean;
  promptUuid: string | null;
  text: string;
}

export interface PlacedTurn {
  id: number;
  inserted: boolean;
  textChanged: boolean;
  /** True when the transcript lost a part of the turn, so that the stored turn was kept. */
  kept: boolean;
}

/** The lines of a batch's transcript that the batch covers, of one session and subagent. */
export interface Covered {
  sessionId: string;
  agentId: string | null;
  from: number;
  /** Exclusive. */
  to: number;
}

export function coveredLines(batch: Clean<WriteBatch>): Covered[] {
  const threads = Map.groupBy(batch.turns, ({ turn }) => `${turn.agentId ?? ""}\n${turn.sessionId}`);
  return [...threads.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { sessionId, agentId } = first.turn;
    const from = Math.min(first.turn.lineIndex, ...rest.map(({ turn }) => turn.lineIndex));
    return { sessionId, agentId, from, to: batch.source.lineIndex };
  });
}

/** What becomes of a stored turn of the covered lines: without a place in the batch, it loses its line or goes. */
export type Fate = "stays" | "released" | "removed";

/**
 * Decides what becomes of stored turns of the covered lines. A provisional turn whose prompt is now inside another turn
 * is removed.
 */
export function fates(
  batch: Clean<WriteBatch>,
): (
  row: Pick<Existing, "promptUuid" | "lineIndex" | "provisional">,
  thread: Pick<Covered, "sessionId" | "agentId">,
) => Fate {
  const placed = new Set<string>(batch.turns.map(({ turn }) => turn.promptUuid ?? placeKey(turn)));
  const regrouped = new Set<string>(batch.turns.flatMap(({ turn }) => turn.entryUuids));
  return ({ promptUuid, lineIndex, provisional }, { sessionId, agentId }) => {
    if (placed.has(promptUuid ?? placeKey({ sessionId, agentId, lineIndex }))) return "stays";
    const moved = promptUuid === null || regrouped.has(promptUuid);
    return Number(provisional) !== 0 && moved ? "removed" : "released";
  };
}

/** Returns true for `<session>.jsonl`, and for a file in the folder of that session's subagents. */
export function isOwnFile(path: string, { sessionId, agentId }: Clean<Turn>): boolean {
  const name = basename(path.replaceAll("\\", "/")).replace(/\.jsonl$/, "");
  return name === sessionId || (agentId !== null && (name === `agent-${agentId}` || name === agentId));
}

/** Whether the turn at a place may be this one: with another prompt, only while its end was not known. */
export function mayBecome(existing: Existing, turn: Clean<Turn>): boolean {
  return existing.promptUuid === null || turn.promptUuid === null || Number(existing.provisional) !== 0;
}

/** True for a stored turn that was read from another file, or that its file lost. */
export function isElsewhere(existing: Existing, source: Source): boolean {
  return existing.lineIndex === null || existing.sourceId !== source.id;
}

/** Returns a turn's line index; null for an imported turn whose transcript no longer had it. */
export function lineOf(turn: Clean<Turn>): number | null {
  return turn.lineIndex < 0 ? null : turn.lineIndex;
}

function placeKey(turn: { sessionId: string; agentId: string | null; lineIndex: number | null }): string {
  return `${turn.sessionId}\n${turn.agentId ?? ""}\n${turn.lineIndex}`;
}
