/** A person's mark on a turn: `mute` hides it from hooks, `pin` protects it from pruning. */
export type TurnMarkKind = "mute" | "pin";

/** A person's rating of a turn in an answer. */
export type AnswerMarkKind = "good" | "bad";

/**
 * Marks that record facts. Hooks skip these turns, too. `undone`: the user took the turn back in the agent. `prompt_only`: only
 * the prompt is left, because the transcript was deleted before it was read.
 */
type FactMarkKind = "undone" | "prompt_only";

export type MarkKind = TurnMarkKind | AnswerMarkKind | FactMarkKind;

export interface TurnMark {
  turnId: number;
  kind: TurnMarkKind;
  /** ISO 8601. */
  time: string;
}

/** A mark of a turn, identified by the `uuid` of its prompt. */
export interface PromptMark {
  promptUuid: string;
  kind: TurnMarkKind | FactMarkKind;
  /** ISO 8601. */
  time: string;
}

export interface AnswerMark {
  /** Null for an answer given on another of the user's devices. */
  answerId: number | null;
  turnId: number;
  kind: AnswerMarkKind;
  /** ISO 8601. */
  time: string;
  /** Start of the answered prompt; null for an answer about a file, or when the prompt was forgotten. */
  prompt: string | null;
  /** The file that the answer was about; null for a prompt. */
  subject: string | null;
}

/** A turn rated bad for a prompt or a file. Hooks do not show it for similar prompts or for this file. */
export interface BadMark {
  turnId: number;
  prompt: string | null;
  subject: string | null;
  /** Vector of the prompt from the active model; null when it was marked with another model or without one. */
  vector: Float32Array | null;
  /** Model of the vector; the built-in one when absent. */
  model?: string | null;
}

/** Stores people's marks on turns and answers. Removing a turn removes its marks. */
export interface MarkStore {
  /** Marks a turn. Returns false when it already has this mark. */
  mark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Removes a mark of a turn. Returns false when it has no such mark. */
  unmark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Marks turns of an answer. Returns the turns whose opposite mark this replaced. */
  markAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<number[]>;
  /** Removes marks of an answer. Returns their number. */
  unmarkAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<number>;
  /** Stores the active model's vector of the prompt behind a marked answer. */
  savePromptVector(answerId: number, vector: Float32Array): Promise<void>;
  /** Lists marks of turns, latest first. */
  turnMarks(): Promise<TurnMark[]>;
  /** Lists marks of answers, latest first. */
  answerMarks(): Promise<AnswerMark[]>;
  /** Returns the kinds of marks on a turn. */
  marksOf(turnId: number): Promise<MarkKind[]>;
  /** Returns the turns that no hook shows: muted ones, and those the user took back in the agent. */
  hidden(): Promise<Set<number>>;
  /** Lists bad ratings, latest first. */
  bad(): Promise<BadMark[]>;
}

/** Queries of hooks about the running session and the turns that they may show. */
export interface RecallStore {
  /**
   * Returns ids of the latest turns of a session's main conversation that were made here, newest first. A fork's own turns come
   * before those copied from its parent.
   */
  latestTurns(sessionId: string, limit: number): Promise<number[]>;
  /** Returns those of these turns that the session copied from its parent. */
  copiedTurns(sessionId: string, turnIds: readonly number[]): Promise<Set<number>>;
  /** Returns the chunks of these turns that have a vector of the active model, in order within each turn. */
  turnVectors(turnIds: readonly number[]): Promise<TurnVector[]>;
  /**
   * Returns the byte up to which a transcript has been read; 0 when its path is unknown, or is stored in another form because it
   * contains a secret or was forgotten.
   */
  readUntil(transcript: string): Promise<number>;
  /** Describes the other sessions in the memory, without notes. */
  heldBefore(sessionId: string): Promise<EarlierSessions>;
}

/** Number of earlier sessions in a memory, and the start of the first in ISO 8601; null when unknown. */
export interface EarlierSessions {
  sessions: number;
  turns: number;
  since: string | null;
}

/** A chunk of a turn with its vector. */
export interface TurnVector {
  turnId: number;
  /** UTF-16 offsets in the turn's text. */
  start: number;
  end: number;
  /** L2-normalised vector. */
  vector: Float32Array;
}
