import { classify } from "../recall/classify.ts";
import { type HookHandler, silent } from "./hook.ts";
import { answerPrompt } from "./user-prompt-submit.ts";

/**
 * UserPromptExpansion: answers a typed command by what stands after its name, as if that were the prompt. UserPromptSubmit
 * gets the same line first and is silent for a command, unless its name could be that of a directory. Trivial arguments were
 * answered before.
 */
export const userPromptExpansion: HookHandler = async (call) => {
  const { command_args: args, prompt } = call.payload;
  if (typeof args !== "string") return silent("trivial");
  if (prompt !== null && !classify(prompt).trivial) return silent("answered already");
  const payload = { ...call.payload, prompt: args };
  return answerPrompt({ ...call, event: "user-prompt-submit", payload }, prompt);
};
