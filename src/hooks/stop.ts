import { isSyncDue, startWorker } from "../project/worker.ts";
import { type HookHandler, silent } from "./hook.ts";
import { memoryToWrite } from "./memory.ts";
import { noteTranscripts } from "./queue-transcripts.ts";

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
