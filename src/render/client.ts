import { agentName } from "../agents/list.ts";

/** Returns the name of a session's coding agent where it should be shown: null for Claude Code, the usual one. */
export function otherClient(client: string): string | null {
  return client === "claude-code" ? null : agentName(client);
}
