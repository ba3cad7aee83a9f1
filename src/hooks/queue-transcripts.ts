import { basename, isAbsolute, join } from "node:path";
import type { SourceStamp } from "../agents/agent.ts";
import { fileStamp } from "../agents/files.ts";
import type { Host } from "../host.ts";
import { enqueue, hasQueued, isNewer } from "../project/queue.ts";
import { isSurelyTranscript } from "./claude-code.ts";
import type { HookPayload } from "./payload.ts";

/**
 * Queues the transcripts that a hook's input names, if they have grown. Returns whether the queue of the memory in
 * `directory` holds anything, including entries that an earlier worker left.
 */
export async function noteTranscripts(directory: string, payload: HookPayload, host: Host): Promise<boolean> {
  for (const path of transcriptsOf(payload, host))
    if (isNewer(directory, path, await stampOf(path))) enqueue(directory, path);
  return hasQueued(directory);
}

function transcriptsOf(payload: HookPayload, { homeDir }: Host): string[] {
  return [payload.transcript_path, payload.agent_transcript_path]
    .filter((path) => path !== null && path !== undefined)
    .map((path) => (path.startsWith("~/") ? join(homeDir, path.slice(2)) : path))
    .filter((path) => isAbsolute(path) && !isCompaction(path));
}

/** Returns the stamp of a transcript; null when it is gone, or no agent's. */
async function stampOf(path: string): Promise<SourceStamp | null> {
  if (isSurelyTranscript(path)) return fileStamp(path);
  const { agentOf } = await import("../agents/list.ts");
  const agent = agentOf(path);
  return agent.owns(path) ? agent.stampOf(path) : null;
}

/** The agent that writes the summary of a compaction adds nothing to the session. */
function isCompaction(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}
