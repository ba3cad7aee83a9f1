import type { HookPayload } from "../agents/hook-payload.ts";
import { MementorError } from "../errors.ts";
import type { Host } from "../host.ts";
import { withTimeout } from "../io/within.ts";
import { noteHookCall } from "../project/note-hook-call.ts";
import type { Runtime } from "../runtime.ts";
import {
  FROM_AGENT_FLAG,
  FROM_PLUGIN_FLAG,
  HOOK_EVENTS,
  NO_SHELL_FLAG,
} from "../setup/settings/hook-events.ts";
import {
  type Grounds,
  type HookAnswer,
  type HookEvent,
  type HookHandler,
  hookOutput,
  hookTimes,
  LATE_DECISION,
  noticeOutput,
  silent,
} from "./hook.ts";
import { CLAUDE_CODE, isSurelyClaudeCode } from "./payload.ts";

export type HookHandlers = Record<HookEvent, () => Promise<HookHandler>>;

/** Each hook loads only its own code. */
const HANDLERS: HookHandlers = {
  "user-prompt-submit": async () => (await import("./user-prompt-submit.ts")).userPromptSubmit,
  "user-prompt-expansion": async () => (await import("./user-prompt-submit.ts")).userPromptExpansion,
  "pre-tool-use": async () => (await import("./pre-tool-use.ts")).preToolUse,
  "subagent-start": async () => (await import("./session-start.ts")).subagentStart,
  "session-start": async () => (await import("./session-start.ts")).sessionStart,
  stop: async () => (await import("./stop.ts")).stop,
  "subagent-stop": async () => (await import("./stop.ts")).stop,
  "pre-compact": async () => (await import("./stop.ts")).preCompact,
  "session-end": async () => (await import("./stop.ts")).stop,
};

/** Answers a hook that may have something to say. Never rejects. Failures go to the project's log. */
export async function answerCall(
  host: Host,
  event: HookEvent,
  given: HookPayload,
  handlers: HookHandlers = HANDLERS,
): Promise<void> {
  const others = isSurelyClaudeCode(given, host.argv) ? null : await import("./client.ts");
  const payload =
    others?.normalized(given, others.detectClient(given, namedClient(host.argv), host.env), host) ?? given;
  try {
    const left = hookTimes(host.env).endMs - host.elapsedMs();
    const early = others?.earlyAnswer(payload, event, given.prompt) ?? null;
    const answer = early ?? (await withTimeout(left, answerHook(host, event, payload, handlers)));
    if (answer?.text) {
      const name = HOOK_EVENTS.find(({ word }) => word === event)?.event ?? event;
      host.stdout.write((others?.encodeAnswer ?? hookOutput)(name, answer.text, payload));
    }
    if (answer?.notice && payload.client === CLAUDE_CODE) host.stdout.write(noticeOutput(answer.notice));
    if (answer?.memory) await noteCall(answer, answer.memory, { host, event, payload });
    if (answer === null) await noteLate({ host, event, payload });
  } catch (error) {
    await logFailure({ host, event, payload }, error);
    if (isOutOfTime(error)) await noteLate({ host, event, payload }).catch(() => {});
  }
}

async function answerHook(
  host: Host,
  event: HookEvent,
  payload: HookPayload,
  handlers: HookHandlers,
): Promise<HookAnswer> {
  if (host.argv.includes(FROM_PLUGIN_FLAG) || host.argv.includes(NO_SHELL_FLAG)) {
    const { isLeftToSettings } = await import("./left-to-settings.ts");
    if (await isLeftToSettings(host, event, payload)) return silent("left to settings");
  }
  const handler = await handlers[event]();
  const { deadlineMs } = hookTimes(host.env);
  return handler({ event, payload, host, timeLeftMs: () => deadlineMs - host.elapsedMs() });
}

/** Returns the agent on a hook's command line; null for Claude Code's hooks, which name none. */
function namedClient(argv: readonly string[]): string | null {
  const at = argv.indexOf(FROM_AGENT_FLAG);
  return at < 0 ? null : (argv[at + 1] ?? null);
}

interface Answered {
  host: Host;
  event: HookEvent;
  payload: HookPayload;
}

async function noteCall(
  { decision, text, recordedText, grounds }: HookAnswer,
  memory: Runtime,
  { host, event, payload }: Answered,
): Promise<void> {
  const { directory } = memory.memory;
  if (directory === null) return;
  const durationMs = Math.round(host.elapsedMs() * 10) / 10;
  const time = host.now().toISOString();
  await noteSession(directory, { host, event, payload });
  const { prompt, subject, gate } = grounds ?? {};
  const turns = await namedIn(text, grounds?.turns ?? []);
  await noteHookCall(
    { directory, dataDir: memory.paths.dataDir },
    {
      sessionId: payload.session_id,
      // Lists show a typed command as a prompt.
      event: event === "user-prompt-expansion" ? "user-prompt-submit" : event,
      decision,
      durationMs,
      time,
      prompt: prompt || undefined,
      subject,
      answer: text === null ? undefined : (recordedText ?? text),
      turns: turns.length > 0 ? turns : undefined,
      gate: gate ? { probability: gate.probability, threshold: gate.threshold } : undefined,
    },
  );
  // A word without spaces contains no secret, so the log need not load the rules for them.
  const word = decision.replaceAll(" ", "-");
  (await memory.log()).info("hook", { hook: event, decision: word, ms: durationMs, at: time });
}

/** Tells whether a hook failed because its time was over. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof MementorError && error.code === "timeout";
}

/** Records a prompt that timed out, so that the user can see it. */
async function noteLate(answered: Answered): Promise<void> {
  const { host, event, payload } = answered;
  const { findMemory } = await import("./memory.ts");
  const memory = event === "user-prompt-submit" ? await findMemory(host, payload).catch(() => null) : null;
  if (memory === null) return;
  const { PROMPT_START } = await import("./user-prompt-submit.ts");
  const grounds = { prompt: payload.prompt?.slice(0, PROMPT_START) ?? null, turns: [], gate: null };
  await noteCall({ decision: LATE_DECISION, text: null, grounds, memory }, memory, answered);
}

/** Records the agent's running session for its child processes: the MCP server and commands. */
async function noteSession(directory: string, { host, event, payload }: Answered): Promise<void> {
  const { session_id: sessionId, agent_id: agentId, client, transcript_path: transcript } = payload;
  if (event !== "session-start" && event !== "user-prompt-submit") return;
  if (sessionId === null || agentId !== null) return;
  const { findAgentProcess, noteRunningSession } = await import("../project/running-session.ts");
  const agent = findAgentProcess(client, host);
  if (agent !== null) noteRunningSession(directory, { client, sessionId, transcript }, agent);
}

/** Returns the turns that a text names: what did not fit into it was not told. */
async function namedIn(text: string | null, turns: Grounds["turns"]): Promise<Grounds["turns"][number][]> {
  if (text === null || turns.length === 0) return [...turns];
  const { namedTurns } = await import("../recall/telling/agent-text.ts");
  const isNamed = namedTurns(text);
  return turns.filter(({ turnId }) => isNamed(turnId));
}

/** Writes only to the log of a trusted memory. Any other log could be a link to anywhere. */
async function logFailure({ host, event, payload }: Answered, error: unknown): Promise<void> {
  try {
    const { findMemory } = await import("./memory.ts");
    const log = await (await findMemory(host, payload))?.log();
    if (isOutOfTime(error)) log?.info("hook", { hook: event, decision: LATE_DECISION });
    else log?.error("hook failed", { hook: event, error });
  } catch {
    // If even the log fails, there is nowhere left to report it.
  }
}
