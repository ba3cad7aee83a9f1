import { LEAVES } from "../../config/leaves.ts";
import { HOOKED_AGENTS } from "../../project/agent-hooks/targets.ts";
import { MCP_AGENTS } from "../../project/agent-mcp/targets.ts";
import type { CommandHelp } from "../../render/help.ts";

/** Adds the words that shells complete and that no schema lists: the names of settings and of agents. */
export function withOwnWords(command: CommandHelp): CommandHelp {
  if (command.name === "config") {
    const keys = LEAVES.map(({ key }) => key);
    return { ...command, nextValues: { get: keys, set: keys, unset: keys } };
  }
  if (command.name !== "enable") return command;
  const agents = [...new Set(["claude", ...HOOKED_AGENTS, ...MCP_AGENTS, "all"])];
  const options = command.options.map((option) =>
    option.flags.startsWith("--for ") ? { ...option, values: agents } : option,
  );
  return { ...command, options };
}
