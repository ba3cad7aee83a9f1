import type { Environment } from "./agent.ts";
import type { RunningCall, Unread } from "./claude-code/running-call.ts";

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
