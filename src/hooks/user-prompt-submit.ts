import type { HookPayload } from "../agents/hook-payload.ts";
import { typedText } from "../agents/notices.ts";
import { classify } from "../recall/classify.ts";
import type { Runtime } from "../runtime.ts";
import { type HookAnswer, type HookCall, type HookHandler, silent, withContext } from "./hook.ts";
import {
  claimPrompt,
  findMemory,
  hasDatabase,
  readMemory,
  recordSafely,
  type WriteMemory,
} from "./memory.ts";
import { CLAUDE_CODE } from "./payload.ts";
import type { PromptModel } from "./prompt-model.ts";
import type { PromptRecall } from "./prompt-recall.ts";

/** Characters of each end of a prompt to search with. The model reads about 2,000. */
const PROMPT_END = 4_000;

/** UserPromptSubmit: shows what earlier sessions know about the prompt. Trivial prompts were answered before. */
export const userPromptSubmit: HookHandler = (call) => answerPrompt(call, call.payload.prompt);

/** Answers a prompt. `line` is the whole line that was typed or scheduled, and may be longer than the prompt. */
async function answerPrompt(call: HookCall, line: string | null): Promise<HookAnswer> {
  if (call.payload.prompt === null) return silent("trivial");
  const prompt = typedText(call.payload.prompt);
  const memory = await findMemory(call.host, call.payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.prompt) return silent("off", memory);
  if (await isAutomatic(call.payload, line)) return silent("automatic", memory);
  if (call.payload.client !== CLAUDE_CODE && !(await isFirst(call, memory)))
    return silent("answered already", memory);
  const found = await recallWithModel(prompt, call, memory);
  if (!found) return silent("empty", memory);
  const grounds = { ...found.grounds, prompt: prompt.slice(0, PROMPT_START) };
  return found.text === null
    ? silent(found.decision, memory, grounds)
    : {
        ...withContext(found.text, memory, grounds),
        ...(found.recordedText !== null && { recordedText: found.recordedText }),
      };
}

/**
 * Opens and searches the memory, with the model only if keywords suggest that there may be something to tell. Resolves to null
 * when there is no database yet.
 */
async function recallWithModel(
  prompt: string,
  call: HookCall,
  memory: Runtime,
): Promise<PromptRecall | null> {
  if (!hasDatabase(memory)) return null;
  const { promptModel } = await import("./prompt-model.ts");
  const model = promptModel(memory);
  try {
    const found = await searched(prompt, call, memory, model);
    await model.close();
    return found;
  } catch (error) {
    // Does not wait, because the failure must be logged in time.
    void model.close();
    throw error;
  }
}

async function searched(
  prompt: string,
  call: HookCall,
  memory: Runtime,
  model: PromptModel,
): Promise<PromptRecall | null> {
  const { recallFor } = await import("./prompt-recall.ts");
  return readMemory(memory, async (store, write) => {
    const found = await recallFor(endsOf(prompt), call, memory, { store, model });
    if (found.text !== null) await recordSafely(memory, record(call, found, write));
    return found;
  });
}

/**
 * Tells whether this is the first call for a prompt. Claude Code runs a hook once even if several settings have it; other agents
 * may not.
 */
async function isFirst({ payload, host }: HookCall, memory: Runtime): Promise<boolean> {
  const { directory } = memory.memory;
  if (directory === null) return true;
  return claimPrompt({ directory, dataDir: memory.paths.dataDir }, payload, host.now());
}

/** Length of a prompt's start in `mementor told`, in characters. */
export const PROMPT_START = 300;

/** A long prompt often has its question before or after pasted text, so both ends are searched for. */
function endsOf(prompt: string): string {
  return prompt.length <= 2 * PROMPT_END
    ? prompt
    : `${prompt.slice(0, PROMPT_END)}\n${prompt.slice(-PROMPT_END)}`;
}

async function record(
  { event, payload, host }: HookCall,
  { grounds, relatedSubjects }: PromptRecall,
  write: WriteMemory,
): Promise<void> {
  const { session_id: sessionId } = payload;
  if (sessionId === null) return;
  const told = { sessionId, event, time: host.now().toISOString() };
  const turnIds = grounds.turns.map(({ turnId }) => turnId);
  await write(async ({ journal }) => {
    await journal.recordTold({ ...told, turnIds });
    for (const subject of relatedSubjects) await journal.recordTold({ ...told, turnIds: [], subject });
  });
}

/**
 * Sources of prompts that no person gave: a timer, a poll, the client itself. Prompts of desktop clients come as `sdk`.
 */
const AUTOMATIC: ReadonlySet<string> = new Set(["loop_wakeup", "schedule_wakeup", "poll_event", "system"]);

/**
 * Tells whether a prompt was automatic: by its source or, if the client names none, by a matching timer in the transcript. `line`
 * is the whole submitted line, even if only a part is answered.
 */
async function isAutomatic(
  { source, client, transcript_path: transcript }: HookPayload,
  line: string | null,
): Promise<boolean> {
  if (source !== null) return AUTOMATIC.has(source);
  if (transcript === null || line === null) return false;
  const { isWakeUp } = await import("../agents/running.ts");
  return isWakeUp(client, transcript, line);
}

/**
 * UserPromptExpansion: answers a typed command with its arguments as the prompt. UserPromptSubmit gets the same line first and is
 * silent for a command, unless its name could be that of a directory. Trivial arguments were answered before.
 */
export const userPromptExpansion: HookHandler = async (call) => {
  const { command_args: args, prompt } = call.payload;
  if (typeof args !== "string") return silent("trivial");
  if (prompt !== null && !classify(prompt).trivial) return silent("answered already");
  const payload = { ...call.payload, prompt: args };
  return answerPrompt({ ...call, event: "user-prompt-submit", payload }, prompt);
};
