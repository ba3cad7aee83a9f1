import { startWorker } from "../project/worker.ts";
import { type HookHandler, silent } from "./hook.ts";
import { memoryToWrite, writing } from "./memory.ts";
import { noteTranscripts } from "./queue-transcripts.ts";

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
      await writing(memory, ({ journal }) => journal.announceCompaction({ sessionId, trigger, time }));
  } finally {
    if (waits) startWorker(host, memory.project.root);
  }
  return silent("announced", memory);
};
