import type { TurnSummary } from "./browse.ts";

/** The turns to remove: those that match all of these. */
export interface ForgetSelection {
  /** These turns, and the turns of subagents that worked at the same time. */
  turnIds?: readonly number[];
  sessionId?: string | undefined;
  /** The paths of one file, or of one directory with a `/` at its end: turns that touched it or name it. */
  paths?: readonly string[];
  /** Part of a turn's text, of a path or of a commit message, in any case. */
  match?: string | undefined;
  /** Whose turns `match` and `before` may choose: a member of the team, or `all`. The user's own when absent. */
  author?: string | undefined;
  /** ISO 8601. Turns that began earlier. */
  before?: string | undefined;
  /** The name of a memory. Turns that were imported from it. */
  imported?: string | undefined;
}

/** What to remove, including what other data says about it. */
export interface ForgetPlan {
  turnIds: readonly number[];
  /** A session to remove as a whole, with everything that may still be written to it. */
  sessionId: string | null;
  /** Texts that must not stay in titles either. */
  needles: readonly Needle[];
  /** Sessions whose title, first prompt, tasks or pull requests match although none of their turns do. */
  matchingSessions: readonly string[];
  /** Matching facts outside the texts. They are cleared, and their turns stay. */
  fields: readonly ForgottenField[];
  /** Turns in which only the forward context matches. They lose it and stay. */
  cutTurnIds: readonly number[];
  /**
   * Number of the turns that are removed because they belong to others: summaries that quote them, and work of their
   * subagents.
   */
  summaries: number;
  subagentTurns: number;
  /** Number of the turns that name the path without touching it. */
  naming: number;
  /** Number of the turns that say the same as a chosen one in another place. */
  copies: number;
  /** Whether all that one memory gave is removed, and nothing else is asked: then it may be imported again. */
  undoesImport: boolean;
}

/** A value of a fact about turns, sessions or transcripts. */
export interface ForgottenField {
  name:
    | "branch"
    | "directory"
    | "model"
    | "version"
    | "agent type"
    | "trigger"
    | "prompt"
    | "transcript"
    | "kind of entry";
  value: string;
}

/** A text to search for. A path must match as a whole; any other text may match inside a word. */
export interface Needle {
  text: string;
  isPath: boolean;
}

/** What a plan would remove, for the confirmation. */
export interface ForgetPreview {
  turns: number;
  /** Number of removed notes, which count as neither turns nor sessions. */
  notes: number;
  summaries: number;
  subagentTurns: number;
  naming: number;
  copies: number;
  undoesImport: boolean;
  /** Number of removed turns that are pinned. A prune removes none. */
  pinned: number;
  /** Those of them that are notes. */
  pinnedNotes: number;
  /** Turns that stay although they say a whole line of the removed ones. Empty for a prune. */
  quoting: number[];
  /** Turns that stay and lose their forward context. */
  cutTurns: number;
  /** Sessions that lose turns, and the number of those that lose all. */
  sessions: number;
  wholeSessions: number;
  /** ISO 8601. Times of the oldest and the newest turn. */
  from: string | null;
  to: string | null;
  /** Facts to clear. */
  fields: ForgottenField[];
  /** Titles to remove. */
  titles: { sessionId: string; title: string }[];
  /** Paths that only these turns touched. The memory will no longer know them. */
  paths: string[];
  /** The newest of the turns. */
  newest: TurnSummary[];
}

/** Limits of age and size for removing the oldest turns. */
export interface PruneRequest {
  /** ISO 8601. Turns that began earlier are removed; null sets no limit of age. */
  before: string | null;
  /** Size of the database in bytes; null sets no limit of size. */
  maxBytes: number | null;
  /** ISO 8601. Turns that began later stay, whatever the limits. */
  keepFrom: string;
  /** Whose turns are counted and removed: a member of the team, or `all`. The user's own when absent. */
  author?: string | undefined;
}
