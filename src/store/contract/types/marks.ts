/** What a person wants of a turn: `mute` keeps it out of hooks, `pin` keeps it from pruning. */
export type TurnMarkKind = "mute" | "pin";

/** What a person thought of a turn in an answer. */
export type AnswerMarkKind = "good" | "bad";

/**
 * Hooks leave these turns out, too. `undone`: the user took the turn back in the agent. `prompt_only`: only the prompt
 * is left of it, since its transcript was deleted before it was read.
 */
export type FactMarkKind = "undone" | "prompt_only";

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
