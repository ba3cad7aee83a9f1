import type { Cure } from "../domain.ts";
import type { Filter } from "./filter.ts";

/** What hooks ask about the running session and about the turns that they may tell. */
export interface RecallStore {
  /**
   * Ids of the latest turns of a session's main conversation that were made here, newest first. A fork's own turns come
   * before those that it copied from its parent.
   */
  latestTurns(sessionId: string, limit: number): Promise<number[]>;
  /** Which of these turns a session copied from the one that it goes on with. */
  copiedTurns(sessionId: string, turnIds: readonly number[]): Promise<Set<number>>;
  /** Ids of the turns that follow a turn in its conversation, oldest first. */
  turnsAfter(turnId: number, limit: number): Promise<number[]>;
  /** Ids of the turns before a turn in its conversation, the nearest first. */
  turnsBefore(turnId: number, limit: number): Promise<number[]>;
  /** The chunks of these turns that have a vector of the active model, in order within each turn. */
  turnVectors(turnIds: readonly number[]): Promise<TurnVector[]>;
  /** What the memory holds of other sessions than this one; notes do not count. */
  heldBefore(sessionId: string): Promise<HeldBefore>;
  /** What got past a failure whose error has one of these forms, in matching turns, newest first. */
  cures(forms: readonly string[], filter: Filter, limit: number): Promise<StoredCure[]>;
}

/** What a memory holds of earlier sessions, and when the first of them was: in ISO 8601, null when it is not known. */
export interface HeldBefore {
  sessions: number;
  turns: number;
  since: string | null;
}

export interface StoredCure {
  turnId: number;
  cure: Cure;
}

/** A chunk of a turn with its vector. */
export interface TurnVector {
  turnId: number;
  /** UTF-16 offsets into the turn's text. */
  start: number;
  end: number;
  /** L2-normalised. */
  vector: Float32Array;
}
