import { failedCall } from "../agents/running.ts";
import { commandKinds, evenCommand } from "../ingest/transcript/cures/command.ts";
import { callCommand, isCurable } from "../ingest/transcript/cures/cure.ts";
import type { FreshFailure } from "../ingest/transcript/cures/match.ts";
import { errorLines } from "../ingest/transcript/cures/match.ts";
import type { AgentText } from "../recall/telling/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import { type HookCall, type HookHandler, silent, withContext } from "./hook.ts";
import { findMemory, readMemory, recordSafely } from "./memory.ts";
import type { HookPayload } from "./payload.ts";

/** PostToolUseFailure: shows what got past the same failure before. Uses SQL only, and each failure once in a session. */
export const postToolUseFailure: HookHandler = async (call) => {
  const { session_id: sessionId } = call.payload;
  const failure = await freshFailure(call.payload);
  if (failure === null || sessionId === null) return silent("no cure");
  const memory = await findMemory(call.host, call.payload);
  if (!memory) return silent("off");
  const { config } = await memory.config();
  if (!config.recall.failure) return silent("off", memory);
  const told = await toldOf(failure, sessionId, call, memory);
  const turns = told === null ? [] : [{ turnId: told.turnId, passage: told.said }];
  const grounds = { prompt: null, subject: failure.errors[0]?.text ?? "", turns, gate: null };
  return withContext(told?.text ?? null, memory, grounds);
};

/** Returns what failed; null where nothing says what was wrong, or the tool has no cures. */
async function freshFailure(payload: HookPayload): Promise<FreshFailure | null> {
  const { client, error, tool_name: name, tool_input: input } = payload;
  if (typeof error !== "string" || name === null) return null;
  const { call, reason: output } = await failedCall(client, name, input, error);
  const errors = errorLines(output);
  if (errors.length === 0 || !isCurable(call)) return null;
  return {
    command: evenCommand(callCommand(call)),
    kinds: call.command === null ? [call.name] : commandKinds(call.command),
    errors,
    output,
  };
}

async function toldOf(
  failure: FreshFailure,
  sessionId: string,
  { event, payload, host }: HookCall,
  memory: Runtime,
): Promise<{ text: AgentText; turnId: number; said: string | null } | null> {
  return readMemory(memory, async (store, write) => {
    const forms = failure.errors.map(({ form }) => form);
    // Most failures were never met before. The rest is loaded for those that were got past.
    const [known] = await store.recall.cures(forms, {}, 1);
    if (known === undefined) return null;
    const { failureMemory } = await import("./failure-memory.ts");
    const { config } = await memory.config();
    const told = await failureMemory(failure, { sessionId, event, payload, config, memory }, store);
    if (told === null) return null;
    const time = host.now().toISOString();
    await recordSafely(
      memory,
      write(async ({ journal }) => {
        for (const subject of told.subjects)
          await journal.recordTold({ sessionId, event, turnIds: [], time, subject });
      }),
    );
    return told;
  });
}
