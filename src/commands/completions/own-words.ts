import { agentIds } from "../../agents/names.ts";
import { LEAVES, settingValues } from "../../config/leaves.ts";
import { NOTE } from "../../constants.ts";
import { HOOKED_AGENTS } from "../../project/agent-hooks/targets.ts";
import { MCP_AGENTS } from "../../project/agent-mcp/targets.ts";
import type { CommandHelp } from "../../render/help.ts";

/** Adds the words that shells complete and that no schema lists: the names of settings and of agents. */
export function withOwnWords(command: CommandHelp): CommandHelp {
  if (command.name === "config") {
    const keys = LEAVES.map(({ key }) => key);
    const values = LEAVES.map((leaf) => [`set ${leaf.key}`, settingValues(leaf)] as const);
    const known = Object.fromEntries(values.filter(([, words]) => words.length > 0));
    return { ...command, nextValues: { get: keys, set: keys, unset: keys, ...known } };
  }
  // Its target is a name, or the file of a model to import.
  if (command.name === "model") return { ...command, takesFiles: true };
  const [flag, values] =
    command.name === "enable" ? (["--for ", SET_UP] as const) : (["--from <agent>", READ] as const);
  const options = command.options.map((option) =>
    option.flags.startsWith(flag) ? { ...option, values } : option,
  );
  return { ...command, options };
}

/** The agents that "enable" sets up, and those whose sessions are read. */
const SET_UP = [...new Set(["claude", ...HOOKED_AGENTS, ...MCP_AGENTS, "all"])];
const READ = ["claude", ...agentIds().filter((id) => id !== "claude-code"), NOTE.client];
