import type { MarkKind } from "./marks.ts";

/** When a hook was called, and what it decided. */
export interface HookCallFacts {
  sessionId: string | null;
  /** In kebab case: `user-prompt-submit`. */
  event: string;
  /** One word: `told`, `gate`, `nothing`, ... */
  decision: string;
  durationMs: number;
  /** ISO 8601. */
  time: string;
}

/** One answered hook, on its way into the database. */
export interface HookCallEntry extends HookCallFacts {
  /** The start of the prompt. */
  prompt?: string | undefined;
  /** The file that the hook was asked about. */
  subject?: string | undefined;
  /** What the hook said. */
  answer?: string | undefined;
  /** The turns in the answer, the best first. */
  turns?: readonly AnsweredTurn[] | undefined;
  gate?: GateMeasure | undefined;
}

/** A turn in an answer. */
interface AnsweredTurn {
  turnId: number;
  /** The start of what was quoted; null where the turn was only named. */
  passage: string | null;
}

/** A turn in a stored answer, with what a person said of it: `good` and `bad` of this answer, the others of the turn. */
interface MarkedTurn extends AnsweredTurn {
  marks: MarkKind[];
}

/** How sure the gate was that the memory answers a prompt, and how sure it had to be; 0 to 1. */
interface GateMeasure {
  probability: number;
  threshold: number;
}

/** One answered hook as it is stored. */
export interface HookAnswerRow extends HookCallFacts {
  id: number;
  prompt: string | null;
  /** The file that the answer was about; null for other hooks, and in answers of older versions. */
  subject: string | null;
  /** Null for silence, and once a turn in it was removed. */
  answer: string | null;
  turns: MarkedTurn[];
  gate: GateMeasure | null;
}

/** A call of a hook by its number, and the file that it was about. */
export interface NumberedCall {
  id: number;
  subject: string | null;
}

/** Which answers are asked for. */
export interface AnswerQuery {
  limit: number;
  /** Only this one, also a call that told nothing of a file. */
  id?: number | undefined;
  /** Only those of this hook that named turns. */
  toldBy?: string;
  /** Only later ones. */
  afterId?: number;
  /** Only those of the session whose id begins with this. */
  sessionId?: string | undefined;
}

/** Records of what hooks decided, and of what they told. */
export interface JournalStore {
  /** Turns that were told in this session since its last compaction. */
  turnsToldIn(sessionId: string): Promise<Set<number>>;
  /** What was told for in this session, such as files, since its last compaction. */
  subjectsToldIn(sessionId: string, event: string): Promise<Set<string>>;
  /**
   * Turns that were told to a prompt in each of the last three other sessions, and neither shown nor followed by work on
   * their files.
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
  /** Answers of hooks, the latest first. Leaves out what only queued work, and files of which nothing was told, unless one is asked for by its number. */
  answers(options: AnswerQuery): Promise<HookAnswerRow[]>;
  /** The calls since a time (ISO 8601) of hooks that may say something, by when they were answered. */
  numberedCalls(since: string): Promise<ReadonlyMap<string, NumberedCall>>;
  /** How many answers there are, without a limit. */
  countAnswers(options: Pick<AnswerQuery, "sessionId">): Promise<number>;
  /** Records that a compaction is about to happen. It counts once it is confirmed or appears in the transcript. */
  announceCompaction(compaction: { sessionId: string; trigger: string | null; time: string }): Promise<void>;
  confirmCompaction(sessionId: string): Promise<void>;
}
