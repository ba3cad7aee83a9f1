import type { TurnSummary } from "../browse/types.ts";
/** Which turns are to go: those that all of these hold for. */
export interface ForgetSelection {
  /** These turns, with those of the subagents that worked meanwhile. */
  turnIds?: readonly number[];
  sessionId?: string;
  /** What one file (or, with a `/` at its end, directory) is called: turns that touched it, and those that name it. */
  paths?: readonly string[];
  /** Part of a turn's text, of a path or a commit's message, in any case. */
  match?: string;
  /** ISO 8601: turns that began earlier. */
  before?: string;
}

/** What goes, and what makes the rest silent about it. */
export interface ForgetPlan {
  turnIds: readonly number[];
  /** Goes as a whole, with whatever may still be written to it. */
  sessionId: string | null;
  /** What must not be left in titles either. */
  needles: readonly Needle[];
  /** Sessions whose title, first prompt, tasks or pull requests say it, though none of their turns do. */
  sayingSessions: readonly string[];
  /** Facts beside the texts that say it: they are cleared, and the turns stay. */
  fields: readonly ForgottenField[];
  /** Turns that only give it as the prompt that follows them: they lose that. */
  cutTurnIds: readonly number[];
  /** How many of the turns go since they belong to others: summaries that retell them, work of their subagents. */
  summaries: number;
  subagentTurns: number;
  /** How many of the turns name the path without touching it. */
  naming: number;
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
  summaries: number;
  subagentTurns: number;
  naming: number;
  /** Turns that stay and lose the prompt that follows them. */
  cutTurns: number;
  /** Sessions that lose turns, and how many of them all. */
  sessions: number;
  wholeSessions: number;
  /** ISO 8601, of the oldest and the newest. */
  from: string | null;
  to: string | null;
  /** Facts that are cleared. */
  fields: ForgottenField[];
  /** Titles that go. */
  titles: { sessionId: string; title: string }[];
  /** Paths that no other turn touched: the memory will not know them any more. */
  paths: string[];
  /** The newest of the turns. */
  newest: TurnSummary[];
}

/** The oldest turns that go for a limit of age or size. */
export interface PruneRequest {
  /** ISO 8601: what began earlier goes; null sets no limit of age. */
  before: string | null;
  /** Of the database, bytes; null sets no limit of size. */
  maxBytes: number | null;
  /** ISO 8601: what began later stays, whatever the limits. */
  keepFrom: string;
}
