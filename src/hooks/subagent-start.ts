import { programCall } from "../setup/program-call.ts";
import { type HookHandler, silent, withContext } from "./hook.ts";
import { invitationFor, renderForSubagent } from "./invitation.ts";
import { memoryOf, reading } from "./memory.ts";
import { untoldTurns } from "./untold.ts";

/** Number of files to name. */
const FILES = 10;

/**
 * SubagentStart: tells a new subagent the files that its session touched last, and invites it to ask the memory. What its
 * session was told at its start does not reach it.
 */
export const subagentStart: HookHandler = async ({ payload, host }) => {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return silent("no session");
  const memory = await memoryOf(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.invite) return silent("off", memory);
  const text = await reading(memory, async (store) => {
    const except = await untoldTurns(memory, store);
    const { files } = await store.search.recentResources(sessionId, { files: FILES, urls: 0, except });
    return renderForSubagent(files, await invitationFor(sessionId, programCall(host), store));
  });
  return withContext(text, memory);
};
