import { closeSync, openSync, readSync } from "node:fs";
import { type JsonObject, parseObject } from "../io/json.ts";
import { OPEN_UNTRUSTED, statIfExists } from "../io/read.ts";

/** A prompt that an agent lists apart from its sessions. */
export interface ListedPrompt {
  text: string;
  /** ISO 8601. */
  time: string;
}

/** A session as an agent's list of prompts knows it. */
export interface ListedSession {
  sessionId: string;
  /** The directory in which its prompts were typed. */
  cwd: string;
  /** In order of time, at least one. */
  prompts: readonly ListedPrompt[];
}

/** Of a longer list, only the end is read: the newest prompts. */
const MAX_BYTES = 64 << 20;

/** Returns the records of a list of prompts; empty when it cannot be read. */
export function recordsOf(file: string): JsonObject[] {
  return endOf(file)
    .split("\n")
    .map(parseObject)
    .filter((record) => record !== null && record !== undefined);
}

function endOf(file: string): string {
  const size = statIfExists(file)?.size ?? 0;
  if (size === 0) return "";
  const bytes = Math.min(size, MAX_BYTES);
  try {
    const descriptor = openSync(file, OPEN_UNTRUSTED.links);
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, bytes, size - bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

/** What a record says of one prompt. */
export interface PromptRecord {
  sessionId: string | null;
  cwd: string | null;
  text: string;
  timeMs: number | null;
}

/** Groups records by session. One without a session, a directory, a time or words is left out. */
export function sessionsOf(records: readonly PromptRecord[]): ListedSession[] {
  const found = new Map<string, { cwd: string; prompts: ListedPrompt[] }>();
  for (const { sessionId, cwd, text, timeMs } of records) {
    if (sessionId === null || cwd === null || timeMs === null || text.trim() === "") continue;
    const time = new Date(timeMs);
    if (Number.isNaN(time.getTime())) continue;
    const session = found.get(sessionId) ?? { cwd, prompts: [] };
    session.prompts.push({ text: text.trim(), time: time.toISOString() });
    found.set(sessionId, session);
  }
  return [...found].map(([sessionId, { cwd, prompts }]) => ({
    sessionId,
    cwd,
    prompts: prompts.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))),
  }));
}
