import type { MarkKind } from "./marks.ts";

/** The time and the decision of a hook call. */
export interface HookCallFacts {
  sessionId: string | null;
  /** Hook event in kebab case: `user-prompt-submit`. */
  event: string;
  /** Decision in one word: `told`, `gate`, `nothing`, ... */
  decision: string;
  durationMs: number;
  /** ISO 8601. */
  time: string;
}

/** A hook call to be stored. */
export interface HookCallEntry extends HookCallFacts {
  /** Start of the prompt. */
  prompt?: string | undefined;
  /** The file that the hook call was about. */
  subject?: string | undefined;
  /** Text of the hook's answer. */
  answer?: string | undefined;
  /** Turns in the answer, best first. */
  turns?: readonly AnsweredTurn[] | undefined;
  gate?: GateMeasure | undefined;
}

/** A turn in an answer. */
interface AnsweredTurn {
  turnId: number;
  /** Start of the quoted text; null when the turn was only named. */
  passage: string | null;
}

/** A turn in a stored answer with its marks: `good` and `bad` belong to this answer, the others to the turn. */
interface MarkedTurn extends AnsweredTurn {
  marks: MarkKind[];
}

/** The gate's estimated probability that the memory answers the prompt, and its threshold; 0 to 1. */
interface GateMeasure {
  probability: number;
  threshold: number;
}

/** A hook call as stored. */
export interface HookAnswerRow extends HookCallFacts {
  id: number;
  prompt: string | null;
  /** The file that the answer was about; null for other hooks and for answers of older versions. */
  subject: string | null;
  /** Null for silence, and after a turn in the answer was removed. */
  answer: string | null;
  turns: MarkedTurn[];
  gate: GateMeasure | null;
}

/** Number of a hook call and the file that it was about. */
export interface NumberedCall {
  id: number;
  subject: string | null;
}

/** Conditions on the answers to list. */
export interface AnswerQuery {
  limit: number;
  /** Only the call with this number, even if it showed nothing for a file. */
  id?: number | undefined;
  /** Only answers of this hook that named turns. */
  toldBy?: string;
  /** Only later answers. */
  afterId?: number;
  /** Only answers in the session whose id starts with this. */
  sessionId?: string | undefined;
}

/** Stores the decisions and answers of hooks. */
export interface JournalStore {
  /** Returns the turns shown in a session since its last compaction. */
  turnsToldIn(sessionId: string): Promise<Set<number>>;
  /** Returns the subjects of answers in a session, such as files, since its last compaction. */
  subjectsToldIn(sessionId: string, event: string): Promise<Set<string>>;
  /**
   * Returns turns that each of the last three other sessions was shown for a prompt, without any effect: none of them printed the
   * turn or worked on its files.
   */
  toldInVain(sessionId: string): Promise<Set<number>>;
  recordTold(entry: {
    sessionId: string;
    event: string;
    turnIds: readonly number[];
    time: string;
    subject?: string;
  }): Promise<void>;
  recordHookCall(call: HookCallEntry): Promise<void>;
  /**
   * Lists answers of hooks, latest first. Leaves out calls that only queued work, and calls about a file with nothing to show,
   * unless one is requested by number.
   */
  answers(options: AnswerQuery): Promise<HookAnswerRow[]>;
  /** Returns calls since a time (ISO 8601) of hooks that may answer, by the time of the answer. */
  numberedCalls(since: string): Promise<ReadonlyMap<string, NumberedCall>>;
  /** Counts all answers, without a limit. */
  countAnswers(options: Pick<AnswerQuery, "sessionId">): Promise<number>;
  /** Records that a compaction is about to happen. It counts once it is confirmed or appears in the transcript. */
  announceCompaction(compaction: { sessionId: string; trigger: string | null; time: string }): Promise<void>;
  confirmCompaction(sessionId: string): Promise<void>;
}
