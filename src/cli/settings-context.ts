import type { Host } from "../host.ts";
import type { UserDirs } from "../project/memory.ts";
import type { Runtime } from "../runtime.ts";
import { claudeShell } from "../setup/hook-shell.ts";
import { agentTargets } from "../setup/hooks/targets.ts";
import { installedProgram } from "../setup/install-program.ts";
import { mcpTargets } from "../setup/mcp/targets.ts";
import type { SettingsContext } from "../setup/settings-places.ts";

/** Returns where this user's settings are and how hooks start this program. */
export function settingsContext({
  host,
  paths,
}: Runtime): Required<Omit<SettingsContext, "policyDir">> & UserDirs {
  const { claudeDir, configDir, dataDir } = paths;
  return {
    claudeDir,
    configDir,
    dataDir,
    self: host.self,
    platform: host.platform,
    shell: claudeShell(host),
    takesLater: false,
    program: installedProgram(host),
  };
}

/** Returns which settings of other agents may hold mementor's hooks, or start its MCP server. */
export function otherAgents(host: Host) {
  return { agents: agentTargets(host), servers: mcpTargets(host, installedProgram(host)) };
}
