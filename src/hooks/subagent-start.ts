import { renderSubagentFiles } from "../render/hooks/subagent-files.ts";
import { type HookHandler, silence, telling } from "./hook.ts";
import { memoryOf, reading } from "./memory.ts";

/** Number of files that a new subagent is given. */
const MAX_FILES = 10;

/** SubagentStart: the files that the session touched last, so that its subagent knows where the work is. */
export const subagentStart: HookHandler = async ({ payload, host }) => {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return silence("no session");
  const memory = await memoryOf(host, payload);
  if (!memory) return silence("off");
  const { config } = await memory.config();
  if (!config.recall.subagent) return silence("off", memory);
  const limits = { files: MAX_FILES, urls: 0 };
  const recent = await reading(memory, ({ search }) => search.recentResources(sessionId, limits));
  return telling("SubagentStart", renderSubagentFiles(recent?.files ?? [], config.budgets.file), memory);
};
