import { renderSubagentNotes } from "../render/hooks/compact-notes.ts";
import { type HookHandler, silent } from "./hook.ts";
import { memoryOf, reading } from "./memory.ts";
import { sessionState, stateAnswer } from "./session-state.ts";

/** SubagentStart: tells a new subagent what the user of its session ruled, and the files that it touched last. */
export const subagentStart: HookHandler = async ({ payload, host }) => {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return silent("no session");
  const memory = await memoryOf(host, payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.subagent) return silent("off", memory);
  const state = await reading(memory, (store) => sessionState(sessionId, memory, store));
  return stateAnswer(state && renderSubagentNotes(state, config.budgets.file), state, memory);
};
