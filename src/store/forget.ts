import type { TurnSummary } from "./browse.ts";

/** A selection of turns to remove. Each turn must match all given conditions. */
export interface ForgetSelection {
  /** These turns, and the turns of subagents that ran at the same time. */
  turnIds?: readonly number[];
  sessionId?: string | undefined;
  /** Paths of one file, or of one directory with a trailing `/`: selects turns that touched it or name it. */
  paths?: readonly string[];
  /** Text that occurs in a turn, a path or a commit message, in any case. */
  match?: string | undefined;
  /** Author of the turns that `match` and `before` select: a team member, or `all`. The user when absent. */
  author?: string | undefined;
  /** ISO 8601. Selects turns that began earlier. */
  before?: string | undefined;
  /** Name of a memory. Selects turns imported from it. */
  imported?: string | undefined;
}

/** The data to remove, including references to it in other data. */
export interface ForgetPlan {
  turnIds: readonly number[];
  /** A session to remove as a whole, including anything written to it later. */
  sessionId: string | null;
  /** Texts to remove from titles, too. */
  needles: readonly Needle[];
  /** Sessions whose title, first prompt, tasks or pull requests match, although none of their turns do. */
  matchingSessions: readonly string[];
  /** Matching facts outside the texts. They are cleared; their turns stay. */
  fields: readonly ForgottenField[];
  /** Turns that match only in their forward context. They lose it and stay. */
  cutTurnIds: readonly number[];
  /** Number of turns removed because they belong to selected ones: summaries that quote them, and work of their subagents. */
  summaries: number;
  subagentTurns: number;
  /** Number of turns that name the path without touching it. */
  naming: number;
  /** Number of turns that are copies of a selected turn in another place. */
  copies: number;
  /** True when exactly the turns imported from one memory are removed, so that it may be imported again. */
  undoesImport: boolean;
}

/** A stored fact about turns, sessions or transcripts. */
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

/** The effects of a plan, for the confirmation. */
export interface ForgetPreview {
  turns: number;
  /** Number of removed notes, which count as neither turns nor sessions. */
  notes: number;
  summaries: number;
  subagentTurns: number;
  naming: number;
  copies: number;
  undoesImport: boolean;
  /** Number of pinned turns among the removed ones. A prune removes none. */
  pinned: number;
  /** Number of notes among these. */
  pinnedNotes: number;
  /** Turns that stay although they contain a whole line of the removed ones. Empty for a prune. */
  quoting: number[];
  /** Number of turns that stay but lose their forward context. */
  cutTurns: number;
  /** Sessions that lose turns, and the number of those that lose all. */
  sessions: number;
  wholeSessions: number;
  /** Time of the oldest and the newest turn, ISO 8601. */
  from: string | null;
  to: string | null;
  /** Facts to clear. */
  fields: ForgottenField[];
  /** Titles to remove. */
  titles: { sessionId: string; title: string }[];
  /** Paths that only these turns touched, and that the memory will forget. */
  paths: string[];
  /** The newest of the turns to remove. */
  newest: TurnSummary[];
}

/** Limits of age and size for removing the oldest turns. */
export interface PruneRequest {
  /** ISO 8601. Turns that began earlier are removed; null for no age limit. */
  before: string | null;
  /** Size limit of the database in bytes; null for none. */
  maxBytes: number | null;
  /** ISO 8601. Turns that began later stay in any case. */
  keepFrom: string;
  /** Author whose turns count: a team member, or `all`. The user when absent. */
  author?: string | undefined;
}
