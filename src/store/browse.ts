/** One turn's touch of a file. */
export interface FileTouch {
  turnId: number;
  sessionId: string;
  sessionTitle: string | null;
  /** Start of the turn's prompt, on one line. */
  firstWords: string;
  /** The tools that touched the file in this turn, or `mention`, in alphabetical order. */
  toolNames: string[];
  /** ISO 8601. */
  createdAt: string | null;
  branch: string | null;
  agentId: string | null;
  /** Where it was imported from; null for what was ingested here. */
  foreign: string | null;
}

/** What people and agents look at without a query. Everything comes from indexes and the rows that are shown. */
export interface BrowseStore {
  /** Turns that touched this path (as it is stored): those that changed the file first, newer before older. */
  fileHistory(path: string, options: { limit: number; exceptSessionId?: string }): Promise<FileTouch[]>;
}
