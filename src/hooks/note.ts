import { basename, isAbsolute, join } from "node:path";
import { agentOf } from "../agents/list.ts";
import type { Host } from "../host.ts";
import { enqueue, hasQueued, isNewer } from "../project/queue.ts";
import type { HookPayload } from "./payload.ts";

/**
 * Notes the transcripts that a hook's input names and that have grown. Returns whether anything waits for a worker,
 * what an earlier one left behind included. `directory` is that of the memory.
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

/** The agent that writes a compaction's summary has nothing of its own to say. */
function isCompaction(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}
