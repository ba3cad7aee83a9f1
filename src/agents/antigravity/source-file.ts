import { basename, dirname, join } from "node:path";
import type { SourceFile } from "../agent.ts";
import { fileStamp } from "../files.ts";
import { parentOf } from "./parent.ts";

/** Has the arguments of tools as they are. */
const FULL = "transcript_full.jsonl";
/** Has each argument as JSON in a text, and cuts long ones. */
const SHORT = "transcript.jsonl";

/** True for `brain/<conversation>/.system_generated/logs/transcript_full.jsonl`, and for its shorter twin. */
export function isTranscript(path: string): boolean {
  const name = basename(path);
  const logs = dirname(path);
  return (
    (name === FULL || name === SHORT) &&
    basename(logs) === "logs" &&
    basename(dirname(logs)) === ".system_generated"
  );
}

export function isShort(path: string): boolean {
  return basename(path) === SHORT;
}

/** True for a short transcript whose full one is there. */
export function hasFullTwin(path: string): boolean {
  return isShort(path) && fileStamp(join(dirname(path), FULL)) !== null;
}

/** Returns the transcript of a conversation in `brain`; null when it has none. */
export function transcriptIn(conversation: string): string | null {
  const logs = join(conversation, ".system_generated", "logs");
  const found = [FULL, SHORT].map((name) => join(logs, name)).find((path) => fileStamp(path) !== null);
  return found ?? null;
}

/** Returns `brain/<conversation>` of a transcript. */
export function conversationFolder(path: string): string {
  return dirname(dirname(dirname(path)));
}

/** Returns the ids of a transcript. A subagent has a conversation of its own, which only the caller's transcript names. */
export function sourceFile(path: string): SourceFile {
  const folder = conversationFolder(path);
  const id = basename(folder);
  const parent = parentOf(folder);
  if (parent === null) return { sessionId: id, isNamed: isTranscript(path), agentId: null };
  return { sessionId: parent.sessionId, isNamed: false, agentId: id };
}
