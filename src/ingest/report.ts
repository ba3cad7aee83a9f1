/** The counts of an ingest. They add up: `lines.total` = `lines.indexed` + the sum of `lines.skipped`. */
export interface IngestReport {
  files: { read: number; unchanged: number; rewritten: number; failed: number; excluded: number };
  /** Number of sessions with turns that were read. */
  sessions: number;
  turns: { inserted: number; updated: number };
  chunks: { written: number; embedded: number; reused: number; pending: number };
  /** Number of characters in overlong turns that are not indexed; absent for none. */
  unindexed?: number;
  /** Lines of the files that were read, counted from their first line. */
  lines: { total: number; indexed: number; skipped: Record<string, number> };
  failures: { path: string; message: string }[];
  seconds: { read: number; embed: number };
}

export function emptyReport(): IngestReport {
  return {
    files: { read: 0, unchanged: 0, rewritten: 0, failed: 0, excluded: 0 },
    sessions: 0,
    turns: { inserted: 0, updated: 0 },
    chunks: { written: 0, embedded: 0, reused: 0, pending: 0 },
    lines: { total: 0, indexed: 0, skipped: {} },
    failures: [],
    seconds: { read: 0, embed: 0 },
  };
}

/** Adds counts by kind to `into`. */
export function addCounts(into: Record<string, number>, counts: Record<string, number>): void {
  for (const [kind, count] of Object.entries(counts))
    into[kind] = (Object.hasOwn(into, kind) ? (into[kind] ?? 0) : 0) + count;
}
