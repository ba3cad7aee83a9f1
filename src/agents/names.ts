import { onOneLine } from "../text/lines.ts";

/** The agents whose sessions are read, by id. Apart from the agents themselves: a list shows a name and reads no session. */
const NAMES = {
  antigravity: "Antigravity CLI",
  "claude-code": "Claude Code",
  cline: "Cline",
  codex: "Codex",
  copilot: "Copilot CLI",
  cursor: "Cursor",
  droid: "Droid",
  gemini: "Gemini CLI",
  opencode: "opencode",
  qwen: "Qwen Code",
} as const;

export type AgentId = keyof typeof NAMES;

/** Returns the ids of the agents whose sessions are read. */
export function agentIds(): AgentId[] {
  return Object.keys(NAMES) as AgentId[];
}

/** Returns an agent's name as people know it; the id itself for an agent of a newer version. */
export function agentName(id: string): string {
  return isAgent(id) ? NAMES[id] : onOneLine(id);
}

/** Whether sessions of this agent are read: another id may be of a newer version, or an invention. */
export function isAgent(id: string): id is AgentId {
  return Object.hasOwn(NAMES, id);
}
