import type { Compaction, PrLink, SessionFacts, SubagentFacts, Turn } from "../../domain.ts";
import type { SearchFilter } from "../store.ts";

/** A session as it is carried elsewhere. */
export interface ExportedSession {
  facts: SessionFacts;
  subagents: SubagentFacts[];
  prLinks: PrLink[];
  compactions: Compaction[];
}

/** A turn as it is carried elsewhere; a line of -1 says that its transcript no longer had it. */
export interface ExportedTurn extends Turn {
  turnId: number;
  /** Where it was imported from; null for what was ingested here. */
  foreign: string | null;
}

/**
 * What becomes of a turn that comes from elsewhere: `own`: it is there, ingested here; `known`: it is there, imported;
 * `update`: what was imported before is older; `forgotten`: it was removed on purpose.
 */
export type ForeignFate = "new" | "update" | "known" | "own" | "forgotten";

/** What an export reads, and an import asks. */
export interface ExportStore {
  /** Sessions with turns that fit, the oldest first. */
  sessionIds(filter: SearchFilter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** The session's turns that fit, in order of time. */
  turnIds(sessionId: string, filter: SearchFilter): Promise<number[]>;
  /** In the order asked for. */
  turns(turnIds: readonly number[]): Promise<ExportedTurn[]>;
  fates(turns: readonly Turn[], foreignOrigin: string): Promise<ForeignFate[]>;
}
