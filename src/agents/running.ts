import type { ToolCall } from "../ingest/transcript/events.ts";
import type { JsonObject } from "../io/json.ts";
import type { Environment, MemoryFile } from "./agent.ts";
import type { RunningTurn } from "./claude-code/running.ts";
import type { AskedQuestion, RunningCall, Unread } from "./claude-code/running-call.ts";
import type { ToolTable } from "./tool-table.ts";

export type { RunningTurn } from "./claude-code/running.ts";

/**
 * Returns the turn that an agent's transcript ends in; null where it has none, or the agent is not known to write one
 * in time.
 */
export async function runningTurn(client: string, path: string): Promise<RunningTurn | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running.ts")).runningTurn(path);
}

/** Whether an agent's transcript says that this prompt comes from a timer, which the agent or its client set. */
export async function isWakeUp(client: string, path: string, prompt: string): Promise<boolean> {
  if (client !== "claude-code") return false;
  return (await import("./claude-code/running.ts")).isWakeUp(path, prompt);
}

/**
 * Returns the outputs of the calls that failed at the end of an agent's transcript, but for one call; none where the
 * agent is not known to write them in time.
 */
export async function failuresSince(
  client: string,
  path: string,
  exceptCallId: string | null,
): Promise<string[]> {
  if (client !== "claude-code") return [];
  return (await import("./claude-code/running-call.ts")).recentFailures(path, exceptCallId);
}

export type { RunningCall } from "./claude-code/running-call.ts";

/** Returns where the transcript of a session lies whose id alone is known; null where that is not known. */
export async function transcriptOf(
  client: string,
  sessionId: string,
  environment: Environment,
): Promise<string | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).transcriptOf(sessionId, environment);
}

/**
 * Returns the subagent of a session that makes a call; null for the main conversation, and where nobody can tell: a subagent
 * has its session's id in all that it starts.
 */
export async function callingSubagent(
  client: string,
  sessionFile: string,
  call: RunningCall,
): Promise<string | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).callingSubagent(sessionFile, call);
}

/** Returns what was appended to a transcript after byte `from`; null unless the agent writes it while it runs, as Claude Code does. */
export async function unreadOf(client: string, path: string, from: number): Promise<Unread | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).unreadOf(path, from);
}

export type { AskedQuestion } from "./claude-code/running-call.ts";

/** Returns what an agent asked this program in lines of its transcript; null where its records are not known. */
export async function askedIn(client: string, lines: readonly string[]): Promise<AskedQuestion[] | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).askedIn(lines);
}

/** The tools of the other agents that have a hook after a failure. */
const OTHERS: Readonly<Record<string, () => Promise<{ TOOLS: ToolTable }>>> = {
  copilot: () => import("./copilot.ts"),
  cursor: () => import("./cursor/messages.ts"),
  qwen: () => import("./qwen.ts"),
};

/**
 * Returns a call of an agent's tool that failed as a hook tells of it, and why it failed. A call of an unknown tool
 * with a command runs that.
 */
export async function failedCall(
  client: string,
  name: string,
  input: JsonObject,
  error: string,
): Promise<{ call: ToolCall; reason: string }> {
  const [{ failureReason, TOOLS: claudeCode }, others, { toolCall }] = await Promise.all([
    import("./claude-code/content.ts"),
    OTHERS[client]?.(),
    import("./tool-table.ts"),
  ]);
  const known = toolCall(others?.TOOLS ?? claudeCode, null, name, input);
  const { command } = input;
  const isShell = known.command === null && typeof command === "string";
  return { call: isShell ? { ...known, command } : known, reason: failureReason(error) };
}

/** Lists the files of what an agent itself remembers of a project; none for an agent without a memory. */
export async function nativeMemory(
  client: string,
  root: string,
  environment: Environment,
): Promise<MemoryFile[]> {
  if (client === "claude-code")
    return (await import("./claude-code/project-sessions.ts")).memoryFiles(root, environment);
  return client === "codex" ? (await import("./codex/head.ts")).memoryFiles(root, environment) : [];
}
