import { win32 } from "node:path";
import type { Environment } from "../agents/agent.ts";
import type { Host } from "../host.ts";
import { statIfExists } from "../io/read.ts";
import type { UserDirs } from "../project/memory.ts";
import type { Runtime } from "../runtime.ts";
import { agentTargets } from "../setup/hooks/targets.ts";
import { mcpTargets } from "../setup/mcp.ts";
import { installedProgram } from "../setup/program/install-program.ts";
import type { HookShell } from "../setup/settings/hook-entries.ts";
import type { SettingsContext } from "../setup/settings/settings-places.ts";

/** Returns where this user's settings are and how hooks start this program. */
export function settingsContext({
  host,
  paths,
}: Runtime): Required<Omit<SettingsContext, "policyDir">> & UserDirs {
  const { claudeDir, configDir, dataDir, otherDataDirs } = paths;
  return {
    claudeDir,
    configDir,
    dataDir,
    otherDataDirs,
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

/**
 * Returns the shell that Claude Code starts hooks with: Git Bash on Windows, or PowerShell where there is none. Looks
 * for it where Claude Code does.
 */
export function claudeShell(
  { env, platform }: Pick<Environment, "env" | "platform">,
  isFile: (path: string) => boolean = (path) => statIfExists(path)?.isFile() ?? false,
): HookShell {
  if (platform !== "win32" || env.CLAUDE_CODE_GIT_BASH_PATH) return "sh";
  const installed = ["C:\\Program Files\\Git\\bin\\bash.exe", "C:\\Program Files (x86)\\Git\\bin\\bash.exe"];
  const besideGit = (env.PATH ?? env.Path ?? "")
    .split(";")
    .filter((directory) => directory !== "" && isFile(win32.join(directory, "git.exe")))
    .map((directory) => win32.join(directory, "..", "bin", "bash.exe"));
  return [...installed, ...besideGit].some(isFile) ? "sh" : "powershell";
}
