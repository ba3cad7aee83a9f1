import { basename, isAbsolute, join } from "node:path";
import { agentOf } from "../agents/list.ts";
import type { Host } from "../host.ts";
import { enqueue, hasQueued, isNewer } from "../project/queue.ts";
import type { HookPayload } from "./payload.ts";

/**
 * Queues the transcripts that a hook's input names, if they have grown. Returns whether the queue of the memory in
 * `directory` holds anything, including entries that an earlier worker left.
 */
export function noteTranscripts(directory: string, payload: HookPayload, host: Host): boolean {
  for (const path of transcriptsOf(payload, host)) if (isNewer(directory, path)) enqueue(directory, path);
  return hasQueued(directory);
}

function transcriptsOf(payload: HookPayload, { homeDir }: Host): string[] {
  return [payload.transcript_path, payload.agent_transcript_path]
    .filter((path) => path !== null && path !== undefined)
    .map((path) => (path.startsWith("~/") ? join(homeDir, path.slice(2)) : path))
    .filter((path) => isAbsolute(path) && agentOf(path).owns(path) && !isCompaction(path));
}

/** The agent that writes the summary of a compaction adds nothing to the session. */
function isCompaction(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}
