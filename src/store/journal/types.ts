/** One answered hook, on its way into the database. */
export interface HookCallEntry {
  sessionId: string | null;
  /** In kebab case: `user-prompt-submit`. */
  event: string;
  /** One word: `told`, `gate`, `nothing`, ... */
  decision: string;
  durationMs: number;
  /** ISO 8601. */
  time: string;
  /** The start of the prompt. */
  prompt?: string | undefined;
  /** What the hook said. */
  answer?: string | undefined;
  /** The turns in the answer, the best first. */
  turns?: readonly AnsweredTurn[] | undefined;
  gate?: GateMeasure | undefined;
}

export interface AnsweredTurn {
  turnId: number;
  /** The start of what was quoted; null where the turn was only named. */
  passage: string | null;
}

/** How sure the gate was that the memory answers a prompt, and how sure it had to be; 0 to 1. */
export interface GateMeasure {
  probability: number;
  threshold: number;
}

/** One answered hook as it is stored. */
export interface HookAnswerRow {
  id: number;
  sessionId: string | null;
  event: string;
  decision: string;
  durationMs: number;
  time: string;
  prompt: string | null;
  /** Null for silence, and once a turn in it was removed. */
  answer: string | null;
  turns: AnsweredTurn[];
  gate: GateMeasure | null;
}

/** Which answers are asked for. */
export interface AnswerQuery {
  limit: number;
  /** Only this one. */
  id?: number;
  /** Only later ones. */
  afterId?: number;
  /** Only those of the session whose id begins with this. */
  sessionId?: string;
}
