import type { Environment, MemoryFile } from "./agent.ts";
import type { RunningTurn } from "./claude-code/running.ts";
import type { AskedQuestion, RunningCall, UnreadContent } from "./claude-code/running-call.ts";

export type { RunningTurn } from "./claude-code/running.ts";

/** Returns the last turn of an agent's transcript; null when there is none, or the agent may write it too late. */
export async function runningTurn(client: string, path: string): Promise<RunningTurn | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running.ts")).runningTurn(path);
}

/** Tells whether a prompt comes from a timer of the agent or its client, according to the agent's transcript. */
export async function isWakeUp(client: string, path: string, prompt: string): Promise<boolean> {
  if (client !== "claude-code") return false;
  return (await import("./claude-code/running.ts")).isWakeUp(path, prompt);
}

export type { RunningCall } from "./claude-code/running-call.ts";

/** Returns the path of a session's transcript by the session's id; null when unknown. */
export async function runningTranscript(
  client: string,
  sessionId: string,
  environment: Environment,
): Promise<string | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).findTranscript(sessionId, environment);
}

/**
 * Returns the subagent that makes a call in a session; null for the main conversation or if unknown. The session's id does not
 * tell, because everything that a subagent starts carries it.
 */
export async function callingSubagent(
  client: string,
  sessionFile: string,
  call: RunningCall,
): Promise<string | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).callingSubagent(sessionFile, call);
}

/**
 * Returns the text appended to a transcript after byte `from`; null unless the agent writes it while it runs, as Claude Code
 * does.
 */
export async function unreadOf(client: string, path: string, from: number): Promise<UnreadContent | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).readUnread(path, from);
}

export type { AskedQuestion } from "./claude-code/running-call.ts";

/** Returns an agent's questions to this program in lines of its transcript; null when its format is unknown. */
export async function askedQuestions(
  client: string,
  lines: readonly string[],
): Promise<AskedQuestion[] | null> {
  if (client !== "claude-code") return null;
  return (await import("./claude-code/running-call.ts")).findQuestions(lines);
}

/** Lists the agent's own memory files of a project; none for an agent without a memory. */
export async function nativeMemory(
  client: string,
  root: string,
  environment: Environment,
): Promise<MemoryFile[]> {
  if (client === "claude-code")
    return (await import("./claude-code/project-sessions.ts")).memoryFiles(root, environment);
  return client === "codex" ? (await import("./codex/head.ts")).memoryFiles(root, environment) : [];
}
