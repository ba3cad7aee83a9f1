import { enqueue, isNewer } from "../project/queue.ts";
import type { HookHandler } from "./hook.ts";
import { memoryToWrite } from "./memory.ts";
import { startWorker } from "./worker.ts";

/**
 * Stop, SubagentStop and SessionEnd: notes which transcript has grown and leaves the work to a process of its own.
 * Says nothing: text on stdout would keep the turn going.
 */
export const stop: HookHandler = async ({ payload, host }) => {
  const paths = [payload.transcript_path, payload.agent_transcript_path].filter((path) => path !== null);
  const runtime = memoryToWrite(host, payload);
  const directory = runtime?.memory.directory;
  if (!runtime || !directory) return null;
  const grown = paths.filter((path) => path !== undefined && isNewer(directory, path));
  for (const path of grown) if (path) enqueue(directory, path);
  if (grown.length > 0) startWorker(host, runtime.project.root);
  return null;
};
