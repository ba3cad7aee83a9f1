import { rmSync } from "node:fs";
import * as v from "valibot";
import { systemCode } from "../io/errors.ts";
import { waitLock } from "../io/lock.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import type { HookCallEntry } from "../store/journal.ts";
import { callsFile, type QueuePlace } from "./note-hook-call.ts";
import { unseal } from "./seal.ts";

const CallSchema = v.object({
  sessionId: v.nullable(v.string()),
  event: v.string(),
  decision: v.string(),
  durationMs: v.number(),
  time: v.string(),
  sealed: v.exactOptional(v.string()),
  // Written by older versions.
  prompt: v.exactOptional(v.string()),
  subject: v.exactOptional(v.string()),
  answer: v.exactOptional(v.string()),
  turns: v.exactOptional(v.array(v.object({ turnId: v.number(), passage: v.nullable(v.string()) }))),
  gate: v.exactOptional(v.object({ probability: v.number(), threshold: v.number() })),
});

/** Returns the calls that no worker has taken yet, oldest first, without their sealed parts. */
export function pendingHookCalls(directory: string): HookCallEntry[] {
  return [`${callsFile(directory)}.taken`, callsFile(directory)].flatMap(callsIn);
}

/** How long to wait for another process that takes the calls, in ms: it stores a few rows. */
const TAKING_MS = 5_000;

/**
 * Takes the recorded calls; `keep` stores each. Calls that could not be stored remain for the next time, as do all if another
 * process is still taking them.
 */
export async function takeHookCalls(
  { directory, dataDir }: QueuePlace,
  keep: (call: HookCallEntry) => Promise<void>,
): Promise<void> {
  const file = callsFile(directory);
  const taken = `${file}.taken`;
  if (![taken, file].some((source) => statIfExists(source))) return;
  using held = waitLock(`${file}.lock`, TAKING_MS);
  if (held === null) return;
  for (const source of [taken, file]) {
    if (!statIfExists(source)) continue;
    if (source === file && !moved(file, taken)) continue;
    for (const call of callsIn(taken)) await keep(await opened(call, dataDir));
    rmSync(taken, { force: true });
  }
}

/** Renames a file. Returns false when another process was first. */
function moved(from: string, to: string): boolean {
  try {
    SYSTEM.rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

type NotedCall = v.InferOutput<typeof CallSchema>;

async function opened({ sealed, ...call }: NotedCall, dataDir: string): Promise<HookCallEntry> {
  const prompt = sealed === undefined ? null : await unseal(sealed, dataDir);
  return prompt === null ? call : { ...call, prompt };
}

function callsIn(file: string): NotedCall[] {
  return (readIfExists(file) ?? "").split("\n").flatMap((line) => {
    const parsed = v.safeParse(CallSchema, parseLine(line));
    return parsed.success ? [parsed.output] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
