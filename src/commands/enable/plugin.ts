import { declinedIds } from "../../project/agent-hooks/declined.ts";
import { type AgentTarget, agentTargets } from "../../project/agent-hooks/targets.ts";
import { serversOf } from "../../project/agent-mcp/install.ts";
import { mcpTargets } from "../../project/agent-mcp/targets.ts";
import { installedProgram } from "../../project/install-program.ts";
import { renderPluginQuestion } from "../../render/agents.ts";
import type { Runtime } from "../../runtime.ts";
import { ask } from "../shared/ask.ts";
import type { AgentOptions, Chosen, Named } from "./chosen.ts";

/** The plugin of an agent, with its own id among what the user refused. */
export function pluginOf({ id, name }: AgentTarget): { id: string; name: string } {
  return { id: `${id}-plugin`, name: `${name}'s plugin` };
}

/**
 * Adds the plugin of an agent that takes hooks in no other way: by its option, or as the person at the terminal answers.
 * Asks only about an agent that has the MCP server or gets it now. Resolves to null when the person quits.
 */
export async function withPlugin(
  chosen: Chosen,
  named: Named,
  { plugin, asks }: AgentOptions,
  { host, paths }: Runtime,
): Promise<Chosen | null> {
  const target = agentTargets(host).find(({ isOptIn }) => isOptIn);
  if (target === undefined || chosen.hooks.some(({ id }) => id === target.id)) return chosen;
  const { id, name } = pluginOf(target);
  const added = { ...chosen, hooks: [...chosen.hooks, target] };
  if (plugin) return { ...added, named: [...chosen.named, id] };
  const servers = [...chosen.servers, ...serversOf(mcpTargets(host, installedProgram(host)))];
  const isMeant = named === null || named === "all" || named.includes(target.id);
  const isServed = isMeant && target.isPresent && servers.some((server) => server.id === target.id);
  if (!asks || !isServed || declinedIds(paths.configDir).includes(id)) return chosen;
  const decision = await ask(host, renderPluginQuestion(target.name, name), "no");
  if (decision === "quit") return null;
  return decision === "yes" ? added : { ...chosen, refused: [...chosen.refused, id] };
}
