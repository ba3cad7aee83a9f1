import { renderSubagentFiles } from "../render/hooks/subagent-files.ts";
import { hiddenTurns } from "../search/hidden.ts";
import { type HookHandler, silent, withContext } from "./hook.ts";
import { memoryOf, reading } from "./memory.ts";

/** Number of files that a new subagent is given. */
const MAX_FILES = 10;

/** SubagentStart: gives a new subagent the files that its session touched last. */
export const subagentStart: HookHandler = async ({ payload, host }) => {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return silent("no session");
  const memory = await memoryOf(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.subagent) return silent("off", memory);
  const recent = await reading(memory, async ({ search, marks }) =>
    search.recentResources(sessionId, { files: MAX_FILES, urls: 0, except: await hiddenTurns(marks) }),
  );
  return withContext("SubagentStart", renderSubagentFiles(recent?.files ?? [], config.budgets.file), memory);
};
