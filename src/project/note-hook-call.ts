import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statIfExists } from "../io/read.ts";
import { ensurePrivateDir } from "../io/write.ts";
import { mayHoldTag, removePrivate } from "../redact/private.ts";
import type { HookCallEntry } from "../store/journal.ts";

/** Maximum size of the recorded calls that wait for a worker. */
const MAX_BYTES = 1_000_000;

/** Returns the file in a memory's directory where calls wait for a worker. */
export function callsFile(directory: string): string {
  return join(directory, "queue", "calls.jsonl");
}

/**
 * Records a call in a file beside the database, for the next worker: waiting for the database's lock would slow the
 * hook down. Private passages are left out here; the worker takes secrets out before it stores the call. Never throws.
 */
export function noteHookCall(directory: string, call: HookCallEntry): void {
  const file = callsFile(directory);
  try {
    const size = statIfExists(file)?.size;
    if (size === undefined) ensurePrivateDir(dirname(file));
    if ((size ?? 0) < MAX_BYTES)
      appendFileSync(file, `${JSON.stringify(withoutPrivate(call))}\n`, { mode: 0o600 });
  } catch {
    // A hook must not fail because its call is not recorded.
  }
}

/** Returns the call without `<private>` passages, which are not even written to the queue. */
function withoutPrivate(call: HookCallEntry): HookCallEntry {
  const { prompt, subject } = call;
  return {
    ...call,
    ...(prompt !== undefined && { prompt: open(prompt) }),
    ...(subject !== undefined && { subject: open(subject) }),
  };
}

function open(text: string): string {
  return mayHoldTag(text) ? removePrivate(text) : text;
}
