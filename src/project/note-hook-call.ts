import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateDir } from "../io/directory.ts";
import { statIfExists } from "../io/read.ts";

/** Maximum size of the recorded calls that wait for a worker. */
const MAX_BYTES = 1_000_000;

/** One answered hook that waits to be stored in the database. */
export interface NotedCall {
  sessionId: string | null;
  event: string;
  decision: string;
  durationMs: number;
  /** ISO 8601. */
  time: string;
  /** The start of the prompt as typed. The database stores it without secrets. */
  prompt?: string;
  /** The file that the hook was asked about. */
  subject?: string;
  /** The hook's answer. */
  answer?: string;
  turns?: { turnId: number; passage: string | null }[];
  gate?: { probability: number; threshold: number };
}

/** Returns the file in a memory's directory where calls wait for a worker. */
export function callsFile(directory: string): string {
  return join(directory, "queue", "calls.jsonl");
}

/**
 * Records a call in a file beside the database, for the next worker: waiting for the database's lock would slow the
 * hook down. Never throws.
 */
export function noteHookCall(directory: string, call: NotedCall): void {
  const file = callsFile(directory);
  try {
    const size = statIfExists(file)?.size;
    if (size === undefined) ensurePrivateDir(dirname(file));
    if ((size ?? 0) < MAX_BYTES) appendFileSync(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
  } catch {
    // A hook must not fail because its call is not recorded.
  }
}
