import type { AgentState } from "../agent-hooks/install.ts";
import { type Check, type Finding, ok, warning } from "../doctor.ts";

export interface AgentsContext {
  agents: () => readonly AgentState[];
  /** Writes the hooks of an agent again, as `enable` does. */
  rewrite: (id: string) => void;
}

/** Checks the hooks in the settings of other agents: that they can be read, are of this version, and may run. */
export function agentChecks({ agents, rewrite }: AgentsContext): Check[] {
  return [{ name: "agents", run: () => checkAgents(agents(), rewrite) }];
}

function checkAgents(agents: readonly AgentState[], rewrite: (id: string) => void): Finding {
  const broken = agents.find(({ problem }) => problem !== null);
  if (broken?.problem) return warning(broken.problem, `Correct the file; ${broken.name} reads it too.`);
  const installed = agents.filter(({ events }) => events.length > 0);
  const stale = installed.find((state) => state.stale.length > 0);
  if (stale)
    return warning(
      `The hooks in ${stale.file} are not of this version: ${stale.stale.join(", ")}.`,
      `Run "mementor enable --for ${stale.id}".`,
      () => rewrite(stale.id),
    );
  const waiting = installed.find(({ untrusted }) => untrusted > 0);
  if (waiting)
    return warning(
      `${waiting.name} skips ${waiting.untrusted} of the hooks in ${waiting.file}: they are not trusted.`,
      `Type "/hooks" in ${waiting.name} and trust them.`,
    );
  const names = installed.map(({ name }) => name).join(", ");
  return ok(names === "" ? "No other agent has hooks." : `Hooks of other agents are up to date: ${names}.`);
}
