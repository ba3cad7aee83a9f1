import type { RunningTurn } from "./claude-code/running.ts";

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
  return (await import("./claude-code/wake-ups.ts")).isWakeUp(path, prompt);
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
  return (await import("./claude-code/recent-failures.ts")).recentFailures(path, exceptCallId);
}
