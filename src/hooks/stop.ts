import { startWorker } from "../project/worker.ts";
import { type HookHandler, silence } from "./hook.ts";
import { memoryToWrite } from "./memory.ts";
import { noteTranscripts } from "./note.ts";

/**
 * Stop, SubagentStop and SessionEnd: notes which transcript has grown and leaves the work to a process of its own.
 * Says nothing: text on stdout would keep the turn going. While another tool's Stop hook keeps Claude at work, the
 * growth is noted only: the Stop that ends it comes after.
 */
export const stop: HookHandler = async ({ payload, host }) => {
  const memory = await memoryToWrite(host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silence("off");
  const waits = noteTranscripts(directory, payload, host);
  if (!waits) return silence("unchanged", memory);
  if (payload.stop_hook_active) return silence("noted", memory);
  startWorker(host, memory.project.root);
  return silence("queued", memory);
};
