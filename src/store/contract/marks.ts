import type { AnswerMark, AnswerMarkKind, BadMark, MarkKind, TurnMark, TurnMarkKind } from "./types/marks.ts";

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
