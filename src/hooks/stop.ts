import { basename, isAbsolute, join } from "node:path";
import type { SourceStamp } from "../agents/agent.ts";
import { fileStamp } from "../agents/files.ts";
import type { HookPayload } from "../agents/hook-payload.ts";
import type { Host } from "../host.ts";
import { enqueue, hasQueued, isNewer, isSyncDue, startWorker } from "../project/queue.ts";
import { type HookHandler, silent } from "./hook.ts";
import { changeMemory, memoryToWrite } from "./memory.ts";
import { isSurelyTranscript } from "./payload.ts";

/**
 * Stop, SubagentStop and SessionEnd: queues the transcripts that have grown and starts a worker to read them, or to
 * sync with a team when that has waited long enough. Prints nothing: text on stdout would keep the turn going. While
 * another tool's Stop hook keeps Claude working, it only queues. A later Stop starts the worker.
 */
export const stop: HookHandler = async ({ payload, host }) => {
  const memory = await memoryToWrite(host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silent("off");
  const waits = await noteTranscripts(directory, payload, host);
  if (!waits && !isSyncDue(directory, host.now())) return silent("unchanged", memory);
  if (payload.stop_hook_active) return silent("noted", memory);
  startWorker(host, memory.project.root);
  return silent(waits ? "queued" : "sync", memory);
};

/**
 * Queues the transcripts that a hook's input names, if they have grown. Returns whether the queue of the memory in
 * `directory` holds anything, including entries that an earlier worker left.
 */
async function noteTranscripts(directory: string, payload: HookPayload, host: Host): Promise<boolean> {
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

/** Tells whether a transcript is of the subagent that summarises a compaction, which adds nothing to the session. */
function isCompaction(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}

/**
 * PreCompact: records that a compaction is about to happen, which may still be cancelled, and queues the transcript.
 * Prints nothing: Claude Code would take text on stdout as instructions for the summary.
 */
export const preCompact: HookHandler = async ({ payload, host }) => {
  const memory = await memoryToWrite(host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silent("off");
  const waits = await noteTranscripts(directory, payload, host);
  try {
    const { session_id: sessionId, trigger } = payload;
    const time = host.now().toISOString();
    if (sessionId !== null)
      await changeMemory(memory, ({ journal }) => journal.announceCompaction({ sessionId, trigger, time }));
  } finally {
    if (waits) startWorker(host, memory.project.root);
  }
  return silent("announced", memory);
};
