import type { Environment, MemoryFile } from "./agent.ts";
import { memoryFiles as claudeCode } from "./claude-code/project-sessions.ts";
import { memoryFiles as codex } from "./codex/memory.ts";
import type { AgentId } from "./names.ts";

/** The agents with a memory of their own. A hook loads these without the rest of what is known of agents. */
const MEMORIES: Partial<Record<AgentId, (root: string, environment: Environment) => MemoryFile[]>> = {
  "claude-code": claudeCode,
  codex,
};

/** Lists the files of what an agent itself remembers of a project; none for an agent without a memory. */
export function nativeMemory(id: string, root: string, environment: Environment): MemoryFile[] {
  const known = Object.entries(MEMORIES).find(([agent]) => agent === id);
  return known?.[1](root, environment) ?? [];
}
