import type { Origin, SessionFacts, Turn } from "../../../domain.ts";
import type { PromptMark } from "./marks.ts";
import type { WriteBatch } from "./stored.ts";

/** A session as it is carried elsewhere. */
export interface ExportedSession extends Pick<WriteBatch, "subagents" | "prLinks" | "compactions"> {
  facts: SessionFacts;
}

/** A turn as it is exported. A line index of -1 means that its transcript no longer held it. */
export interface ExportedTurn extends Turn, Omit<Origin, "device"> {
  turnId: number;
  /** Whether it is muted or pinned, and since when. */
  marks: Pick<PromptMark, "kind" | "time">[];
}

/**
 * What becomes of a turn that comes from elsewhere. `own`: it was ingested here already; `known`: it was imported
 * already; `update`: an older version of it was imported; `forgotten`: it was removed on purpose.
 */
export type ForeignFate = "new" | "update" | "known" | "own" | "forgotten";
