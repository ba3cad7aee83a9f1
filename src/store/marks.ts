import type { Cure } from "../domain.ts";
import type { Filter } from "./filter.ts";

/** What a person wants of a turn: `mute` keeps it out of hooks, `pin` keeps it from pruning. */
export type TurnMarkKind = "mute" | "pin";

/** What a person thought of a turn in an answer. */
export type AnswerMarkKind = "good" | "bad";

/**
 * Hooks leave these turns out, too. `undone`: the user took the turn back in the agent. `prompt_only`: only the prompt
 * is left of it, since its transcript was deleted before it was read.
 */
type FactMarkKind = "undone" | "prompt_only";

export type MarkKind = TurnMarkKind | AnswerMarkKind | FactMarkKind;

export interface TurnMark {
  turnId: number;
  kind: TurnMarkKind;
  /** ISO 8601. */
  time: string;
}

/** A mark of a turn, by the `uuid` of the turn's prompt. */
export interface PromptMark {
  promptUuid: string;
  kind: TurnMarkKind | FactMarkKind;
  /** ISO 8601. */
  time: string;
}

export interface AnswerMark {
  /** Null for an answer that a hook gave on another device of the user. */
  answerId: number | null;
  turnId: number;
  kind: AnswerMarkKind;
  /** ISO 8601. */
  time: string;
  /** The start of the prompt that was answered; null for an answer about a file, or when the prompt was forgotten. */
  prompt: string | null;
  /** The file that the answer was about; null for a prompt. */
  subject: string | null;
}

/** A turn that must not be told for prompts like this one, or for this file. */
export interface BadMark {
  turnId: number;
  prompt: string | null;
  subject: string | null;
  /** The prompt's vector of the active model; null when it was marked without a model, or with another one. */
  vector: Float32Array | null;
  /** The model that made it; the built-in one when absent. */
  model?: string | null;
}

/** What a person said of turns and of answers. Marks of a turn go with the turn. */
export interface MarkStore {
  /** Marks a turn. Returns false when it has this mark already. */
  mark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Returns false when the turn does not have this mark. */
  unmark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Marks turns of an answer. Returns the turns whose mark of the other kind this replaced. */
  markAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<number[]>;
  /** Returns the number of marks that were removed. */
  unmarkAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<number>;
  /** Stores the active model's vector of the prompt that a marked answer was given to. */
  savePromptVector(answerId: number, vector: Float32Array): Promise<void>;
  /** The latest first. */
  turnMarks(): Promise<TurnMark[]>;
  /** The latest first. */
  answerMarks(): Promise<AnswerMark[]>;
  /** The kinds of marks that a turn has. */
  marksOf(turnId: number): Promise<MarkKind[]>;
  /** Turns that no hook tells: those that a person muted, and those that the user took back in the agent. */
  hidden(): Promise<Set<number>>;
  /** Turns that are not told for some prompts or files, the latest marks first. */
  bad(): Promise<BadMark[]>;
}

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
