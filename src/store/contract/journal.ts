import type { AnswerQuery, HookAnswerRow, HookCallEntry, NumberedCall } from "./types/journal.ts";

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
