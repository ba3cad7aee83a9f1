import type { Filter } from "../../filter/filter.ts";
import type { ExportedSession, ExportedTurn } from "./types/export.ts";

/** What an export reads. */
export interface ExportStore {
  /** Sessions with matching turns, the oldest first. */
  sessionIds(filter: Filter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** The session's matching turns, in order of time. */
  turnIds(sessionId: string, filter: Filter): Promise<number[]>;
  /** In the order asked for. */
  turns(turnIds: readonly number[]): Promise<ExportedTurn[]>;
}
