import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type JsonObject, parseObject, stringOf } from "../../io/json.ts";
import { entriesOf, fileStamp, headOf, tailOf } from "../files.ts";

/** The conversation that started another one as its subagent. */
export interface Parent {
  /** The conversation that a person started. */
  sessionId: string;
  /** The directory that the subagent was given; null when none is named. */
  workspace: string | null;
}

const STARTED = "INVOKE_SUBAGENT";
/** Bytes of a transcript's start and end that hold a record with its time. */
const EDGE_BYTES = 1 << 14;
/** A larger transcript is not searched for subagents. */
const MAX_BYTES = 64 << 20;
/** Subagents that start subagents; more is a circle. */
const MAX_DEPTH = 8;

/**
 * Finds the conversation that started another one; null for one that a person started. Only conversations that were
 * open when this one began are read.
 */
export function parentOf(folder: string, depth = 0): Parent | null {
  const began = timeIn(headOf(transcriptOf(folder), EDGE_BYTES).split("\n"));
  if (began === null || depth === MAX_DEPTH) return null;
  const id = basename(folder);
  for (const { name } of entriesOf(dirname(folder))) {
    if (name === id) continue;
    const other = join(dirname(folder), name);
    const workspace = wasOpen(transcriptOf(other), began) ? startedBy(transcriptOf(other), id) : undefined;
    if (workspace === undefined) continue;
    return { sessionId: parentOf(other, depth + 1)?.sessionId ?? name, workspace };
  }
  return null;
}

/** Both transcripts have the same records, so the one that every version writes is enough. */
function transcriptOf(folder: string): string {
  const logs = join(folder, ".system_generated", "logs");
  const short = join(logs, "transcript.jsonl");
  return fileStamp(short) === null ? join(logs, "transcript_full.jsonl") : short;
}

function wasOpen(transcript: string, time: string): boolean {
  const first = timeIn(headOf(transcript, EDGE_BYTES).split("\n"));
  const last = timeIn(tailOf(transcript, EDGE_BYTES).split("\n").reverse());
  return first !== null && first <= time && (last === null || time <= last);
}

function timeIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const time = /"created_at"\s*:\s*"([^"]+)"/.exec(line)?.[1];
    if (time !== undefined) return time;
  }
  return null;
}

/**
 * Returns the directory that a conversation gave to its subagent, null for none; undefined when it did not start that
 * one.
 */
function startedBy(transcript: string, id: string): string | null | undefined {
  if ((fileStamp(transcript)?.size ?? 0) > MAX_BYTES) return undefined;
  const bytes = quietly(transcript);
  if (bytes === null || !bytes.includes(id)) return undefined;
  for (const line of bytes.toString("utf8").split("\n")) {
    if (!line.includes(id) || !line.includes(STARTED)) continue;
    const content = contentOf(parseObject(line) ?? {});
    if (content === null || !content.includes(id)) continue;
    const uri = /"workspaceUris"\s*:\s*\[\s*"([^"]+)"/.exec(content.slice(content.indexOf(id)))?.[1];
    return uri?.replace(/^file:\/\//, "") ?? null;
  }
  return undefined;
}

function contentOf({ type, content }: JsonObject): string | null {
  return type === STARTED ? stringOf(content) : null;
}

function quietly(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
