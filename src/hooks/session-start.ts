import { enqueueSearch } from "../project/queue.ts";
import { startWorker } from "../project/worker.ts";
import type { Runtime } from "../runtime.ts";
import { type HookHandler, silent, withContext } from "./hook.ts";
import { callFromNowOn, invitationFor, isToldBySkill, renderInvitation } from "./invitation.ts";
import { memoryOf, reading, recorded } from "./memory.ts";

/**
 * SessionStart: invites the agent to ask the memory. After a compaction, notes that there was one; otherwise starts a
 * worker that reads transcripts that no hook has queued.
 */
export const sessionStart: HookHandler = async (call) => {
  const { payload } = call;
  const { session_id: sessionId } = payload;
  const memory = await memoryOf(call.host, payload);
  const directory = memory?.memory.directory;
  if (!memory || !directory) return silent("off");
  const isCompacted = payload.source === "compact";
  // What cannot be queued, as on a read-only disk, keeps no invitation back.
  if (!isCompacted) await recorded(memory, catchUp(memory, directory));
  const program = callFromNowOn(call);
  if (sessionId === null) return silent("no session", memory);
  const { config } = await memory.config();
  const isWanted = config.recall.invite && !(await isToldBySkill(call, memory));
  if (!isWanted && !isCompacted) return silent("caught up", memory);
  const invitation = await reading(memory, async (store, write) => {
    if (isCompacted)
      await recorded(
        memory,
        write(({ journal }) => journal.confirmCompaction(sessionId)),
      );
    return isWanted ? invitationFor(sessionId, program, store) : null;
  });
  return withContext(invitation && renderInvitation(invitation), memory);
};

/** Has a worker read the transcripts that no hook has queued. */
async function catchUp({ host, project }: Runtime, directory: string): Promise<void> {
  enqueueSearch(directory);
  startWorker(host, project.root);
}
