/** What the prompt hook asks about the running session and about the turns that it may tell. */
export interface RecallStore {
  /** Ids of the latest turns of a session's main conversation that were made here, newest first. */
  latestTurns(sessionId: string, limit: number): Promise<number[]>;
  /** Ids of the turns that follow a turn in its conversation, oldest first. */
  turnsAfter(turnId: number, limit: number): Promise<number[]>;
  /** Ids of the turns before a turn in its conversation, the nearest first. */
  turnsBefore(turnId: number, limit: number): Promise<number[]>;
  /** The chunks of these turns that have a vector of the active model, in order within each turn. */
  turnVectors(turnIds: readonly number[]): Promise<TurnVector[]>;
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
