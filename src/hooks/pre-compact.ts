import { startWorker } from "../project/worker.ts";
import { type HookHandler, silence } from "./hook.ts";
import { memoryToWrite, writing } from "./memory.ts";
import { noteTranscripts } from "./note.ts";

/**
 * PreCompact: remembers that a compaction is about to happen, which may be cancelled still, and notes the transcript.
 * Says nothing: text on stdout would become instructions for the summary.
 */
export const preCompact: HookHandler = async ({ payload, host }) => {
  const memory = await memoryToWrite(host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silence("off");
  const waits = noteTranscripts(directory, payload, host);
  try {
    const { session_id: sessionId, trigger } = payload;
    const time = host.now().toISOString();
    if (sessionId !== null)
      await writing(memory, ({ journal }) => journal.announceCompaction({ sessionId, trigger, time }));
  } finally {
    if (waits) startWorker(host, memory.project.root);
  }
  return silence("announced", memory);
};
