import type {
  Commit,
  Compaction,
  FileMention,
  PrLink,
  ReadCursor,
  Rewind,
  SessionFacts,
  SubagentFacts,
  TurnFacts,
  TurnOrigin,
} from "../../domain.ts";
import { UncleanText } from "../../turn/wording.ts";
import type { BlockReader } from "./lines.ts";

/** One text of an entry. */
export interface EntryText {
  text: string;
  /** True for the assistant's thinking. */
  isThinking: boolean;
  /** The text before secrets were removed; absent if it had none. */
  given?: UncleanText;
}

/** Joins texts in their form before secrets were removed; null if they had none. */
export function joinOriginals(texts: readonly EntryText[]): UncleanText | null {
  const isClean = texts.every(({ given }) => given === undefined);
  return isClean ? null : UncleanText.join(texts.map(({ text, given }) => given ?? text));
}

/** Joins texts. */
export function joinTexts(texts: readonly EntryText[]): string {
  return texts.map(({ text }) => text).join("\n\n");
}

/** The content that one entry of a transcript adds to its turn. Texts contain no secrets; paths are relative to the project. */
export interface TurnEntry {
  uuid: string | null;
  lineIndex: number;
  speaker: "user" | "assistant" | "tool";
  /** Prompt, or thinking and answer, in order; empty for entries with only tools. */
  texts: EntryText[];
  /** Questions with the user's answers, in a record of tool results. */
  answers: string[];
  /** Plans and ends of subagents' reports, in a record of tool results. */
  reports: string[];
  toolSummary: string[];
  /** The first lines of each failed tool result. */
  errors: string[];
  mentions: FileMention[];
  commits: Commit[];
}

/** A turn with all its entries, including those that are indexed elsewhere. */
export interface RawTurn extends TurnFacts {
  origin: TurnOrigin;
  /** The first one starts the turn. */
  entries: TurnEntry[];
  /** Forward context: the next prompt; null while the turn is provisional, or without a next prompt. */
  nextPrompt: string | null;
  /** The whole next prompt before secrets were removed; null or absent if it had none. */
  givenNextPrompt?: UncleanText | null;
}

/** Turns and facts with the cursor to store. */
export interface TranscriptStep {
  turns: RawTurn[];
  sessions: SessionFacts[];
  subagents: SubagentFacts[];
  prLinks: PrLink[];
  compactions: Compaction[];
  rewinds: Rewind[];
  /** Counts of all lines before `cursor`, from the start of the file: lines in turns, and skipped lines by reason. */
  lines: { total: number; indexed: number; skipped: Record<string, number> };
  cursor: ReadCursor;
}

/** Returns the directories that paths are relative to, longest first: the roots of the worktree and of the primary worktree. */
export type FindRoots = (cwd: string) => readonly string[];

export interface ReadOptions {
  /** Cursor to continue from; null to read from the first byte. */
  from: ReadCursor | null;
  rootsOf: FindRoots;
  /** Removes secrets and private passages from a text before anything else sees it. */
  redact: (text: string) => string;
  /** Called for every part that could not be read, for the log. Never gets content. */
  onSkip?: ((skip: { kind: string; lineIndex: number }) => void) | undefined;
  /** A step ends at the first turn boundary after this many bytes. */
  stepBytes?: number;
  /** Read buffers shared by files that are read one after another. */
  blocks?: BlockReader;
}
