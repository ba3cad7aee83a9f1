import type { Connection } from "../connection/connection.ts";

/** One answered hook. */
export interface StoredHookCall {
  event: string;
  decision: string;
  durationMs: number;
  /** ISO 8601. */
  time: string;
  sessionId: string | null;
}

/** What a database tells about its own life. */
export interface StatusStore {
  /** When a transcript was last read, ISO 8601; null before the first. */
  lastIngest(): Promise<string | null>;
  /** Lines that were read and not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Newest first. */
  lastHookCalls(limit: number): Promise<StoredHookCall[]>;
}

export function statusStore(c: Connection): StatusStore {
  return {
    async lastIngest() {
      return c.get<{ time: string | null }>("SELECT max(updated_at) AS time FROM sources")?.time ?? null;
    },
    async skippedLines() {
      const rows = c.all<{ kind: string; lines: number }>(
        `SELECT j.key AS kind, sum(j.value) AS lines FROM sources s, json_each(s.skipped) j
         GROUP BY j.key ORDER BY 2 DESC, 1`,
      );
      return Object.fromEntries(rows.map(({ kind, lines }) => [kind, lines]));
    },
    async lastHookCalls(limit) {
      return c.all<StoredHookCall>(
        `SELECT event, decision, duration_ms AS durationMs, time, session_id AS sessionId
         FROM hook_calls ORDER BY id DESC LIMIT ?`,
        limit,
      );
    },
  };
}
