import { appendFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { ensurePrivateDir } from "../io/directory.ts";
import { systemCode } from "../io/errors.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";

/** Maximum size of the recorded calls that wait for a worker. */
const MAX_BYTES = 1_000_000;

const CallSchema = v.object({
  sessionId: v.nullable(v.string()),
  event: v.string(),
  decision: v.string(),
  durationMs: v.number(),
  /** ISO 8601. */
  time: v.string(),
  /** The start of the prompt as typed. The database stores it without secrets. */
  prompt: v.optional(v.string()),
  /** The file that the hook was asked about. */
  subject: v.optional(v.string()),
  /** The hook's answer. */
  answer: v.optional(v.string()),
  turns: v.optional(v.array(v.object({ turnId: v.number(), passage: v.nullable(v.string()) }))),
  gate: v.optional(v.object({ probability: v.number(), threshold: v.number() })),
});

/** One answered hook that waits to be stored in the database. */
export type NotedCall = v.InferOutput<typeof CallSchema>;

function fileOf(directory: string): string {
  return join(directory, "queue", "calls.jsonl");
}

/**
 * Records a call in a file beside the database, for the next worker: waiting for the database's lock would slow the
 * hook down. Never throws.
 */
export function noteHookCall(directory: string, call: NotedCall): void {
  const file = fileOf(directory);
  try {
    const size = statIfExists(file)?.size;
    if (size === undefined) ensurePrivateDir(dirname(file));
    if ((size ?? 0) < MAX_BYTES) appendFileSync(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
  } catch {
    // A hook must not fail because its call is not recorded.
  }
}

/** Returns the calls that no worker has taken yet, oldest first. */
export function notedHookCalls(directory: string): NotedCall[] {
  return [`${fileOf(directory)}.taken`, fileOf(directory)].flatMap(callsIn);
}

/** Takes the recorded calls. `keep` stores each. Calls that could not be stored stay for the next time. */
export async function takeHookCalls(
  directory: string,
  keep: (call: NotedCall) => Promise<void>,
): Promise<void> {
  const file = fileOf(directory);
  const taken = `${file}.taken`;
  for (const source of [taken, file]) {
    if (!statIfExists(source)) continue;
    if (source === file && !moved(file, taken)) continue;
    for (const call of callsIn(taken)) await keep(call);
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
