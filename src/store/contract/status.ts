import type { StoredHookCall } from "./types/browse.ts";

/** Facts about the database itself. */
export interface StatusStore {
  /** When a transcript was last read, ISO 8601; null before the first. */
  lastIngest(): Promise<string | null>;
  /** Lines that were read but not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Newest first. */
  lastHookCalls(limit: number): Promise<StoredHookCall[]>;
  /** The latest hook call that told something; null before the first. */
  lastTold(): Promise<StoredHookCall | null>;
}
