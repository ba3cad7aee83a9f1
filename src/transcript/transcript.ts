import type {
  Commit,
  Compaction,
  FileMention,
  PrLink,
  SessionFacts,
  SubagentFacts,
  TurnOrigin,
  TurnRole,
} from "../domain.ts";

/** A text that somebody wrote in an entry. */
export interface EntryText {
  text: string;
  /** What the assistant said to itself. */
  isThinking: boolean;
}

/** Returns texts as one. */
export function wordsOf(texts: readonly EntryText[]): string {
  return texts.map(({ text }) => text).join("\n\n");
}

/** What one entry of a transcript adds to its turn; texts are redacted, paths are relative to the project. */
export interface TurnEntry {
  uuid: string | null;
  lineIndex: number;
  speaker: "user" | "assistant" | "tool";
  /** Prompt, or thinking and answer, in order; empty for entries that hold only tools. */
  texts: EntryText[];
  /** Questions with the user's answers, in a record of tool results. */
  answers: string[];
  /** Plans and ends of subagents' reports, in a record of tool results. */
  reports: string[];
  toolSummary: string[];
  /** First lines of failed tool results, bounded. */
  errors: string[];
  mentions: FileMention[];
  commits: Commit[];
}

/** A turn as its entries give it, before entries that are indexed elsewhere are left out. */
export interface RawTurn {
  sessionId: string;
  agentId: string | null;
  isSidechain: boolean;
  lineIndex: number;
  provisional: boolean;
  role: TurnRole;
  origin: TurnOrigin;
  /** The first one starts the turn. */
  entries: TurnEntry[];
  /** Forward context: the prompt that follows; null while provisional or when none follows. */
  nextPrompt: string | null;
  createdAt: string | null;
  endedAt: string | null;
  branch: string | null;
  cwd: string | null;
  model: string | null;
  clientVersion: string | null;
}

/** Where a read ended, and what the next one needs to go on there. */
export interface ReadCursor {
  /** End of the last complete line that was read, bytes; and how many lines that is. */
  byteOffset: number;
  lineIndex: number;
  /** Start of the earliest turn that is still open: the next read starts here, so that it sees that turn whole. */
  resumeOffset: number;
  resumeLine: number;
  /** What is known of the file's sessions. */
  sessions: readonly SessionFacts[];
  /** Of use to the reader alone, and without words of the transcript; null at the start of a file. */
  readerState: string | null;
}

/** Some turns and facts, and the cursor that is right once they are stored. */
export interface TranscriptStep {
  turns: RawTurn[];
  sessions: SessionFacts[];
  subagents: SubagentFacts[];
  prLinks: PrLink[];
  compactions: Compaction[];
  /** All lines before `cursor`, whether their content is in a turn or why it is not; counted from the file's first line. */
  lines: { total: number; indexed: number; skipped: Record<string, number> };
  cursor: ReadCursor;
}

/** Roots that make a path relative, longest first: the worktree's and the primary worktree's. */
export type RootsOf = (cwd: string) => readonly string[];

export interface ReadOptions {
  /** Null reads from the first byte. */
  from: ReadCursor | null;
  rootsOf: RootsOf;
  /** Takes secrets and private passages out of a text, before anything else sees it. */
  redact: (text: string) => string;
  /** Called for every piece that could not be read, for the log; never with content. */
  onSkip?: (skip: { kind: string; lineIndex: number }) => void;
  /** A step ends at the first turn boundary after this many bytes. */
  stepBytes?: number;
}
