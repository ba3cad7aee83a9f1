import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { ensurePrivateDir } from "../io/write.ts";
import { mayHoldTag, removePrivate } from "../redact/private.ts";
import type { HookCallEntry } from "../store/journal.ts";
import type { UserDirs } from "./memory.ts";
import { seal } from "./seal.ts";

/** Maximum size of the recorded calls that wait for a worker. */
const MAX_BYTES = 1_000_000;

/** Returns the file in a memory's directory where calls wait for a worker. */
export function callsFile(directory: string): string {
  return join(directory, "queue", "calls.jsonl");
}

/** The directory of a memory, and that of all memories. */
export type QueuePlace = Pick<UserDirs, "dataDir"> & { directory: string };

/**
 * Records a call in a file beside the database, for the next worker: waiting for the database's lock would slow the hook down.
 * The prompt may contain secrets, so it is sealed, without its private passages, until the worker removes them. The rest of a
 * call comes from the memory and is clean. Never throws.
 */
export async function noteHookCall(
  { directory, dataDir }: QueuePlace,
  { prompt, ...call }: HookCallEntry,
): Promise<void> {
  const file = callsFile(directory);
  try {
    const size = statIfExists(file)?.size;
    if (size === undefined) ensurePrivateDir(dirname(file));
    if ((size ?? 0) >= MAX_BYTES) return;
    const sealed = prompt === undefined ? {} : { sealed: await seal(open(prompt), dataDir) };
    appendFileSync(file, `${JSON.stringify({ ...call, ...sealed })}\n`, { mode: 0o600 });
  } catch {
    // A hook must not fail because its call is not recorded.
  }
}

function open(text: string): string {
  return mayHoldTag(text) ? removePrivate(text) : text;
}
