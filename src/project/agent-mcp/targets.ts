import { join } from "node:path";
import type { Environment } from "../../agents/agent.ts";
import { absolutePath } from "../../agents/files.ts";
import { agentHome, agentName } from "../../agents/list.ts";
import { statIfExists } from "../../io/read.ts";

/** How an agent's configuration starts our MCP server. */
interface AgentMcp {
  id: string;
  /** Below the agent's directory. */
  file: string;
  /** Where the server's entry stands; `toml` is Codex's form. */
  form: "json" | "toml";
  /** Keys down to the object that holds the servers. */
  path: string;
  entry: (program: string) => object;
}

const stdio = (program: string) => ({ command: program, args: ["mcp"] });

const AGENT_MCP: readonly AgentMcp[] = [
  { id: "codex", file: "config.toml", form: "toml", path: "mcp_servers", entry: stdio },
  { id: "gemini", file: "settings.json", form: "json", path: "mcpServers", entry: stdio },
  { id: "qwen", file: "settings.json", form: "json", path: "mcpServers", entry: stdio },
  {
    id: "copilot",
    file: "mcp-config.json",
    form: "json",
    path: "mcpServers",
    entry: (program) => ({ type: "local", ...stdio(program), tools: ["*"] }),
  },
  {
    id: "opencode",
    file: "opencode.json",
    form: "json",
    path: "mcp",
    entry: (program) => ({ type: "local", command: [program, "mcp"], enabled: true }),
  },
  {
    id: "cline",
    file: "data/settings/cline_mcp_settings.json",
    form: "json",
    path: "mcpServers",
    entry: stdio,
  },
];

/** An agent whose configuration can start our MCP server. */
export interface McpTarget {
  id: string;
  name: string;
  file: string;
  form: AgentMcp["form"];
  path: string;
  entry: object;
  isPresent: boolean;
}

/** Ids of the agents that `enable --mcp` knows. */
export const MCP_AGENTS: readonly string[] = AGENT_MCP.map(({ id }) => id);

/** `program` is the file that hooks start too, as an absolute path: no agent expands variables in a command. */
export function mcpTargets(environment: Environment, program: string): McpTarget[] {
  return AGENT_MCP.flatMap(({ id, file, form, path, entry }) => {
    const home = homeOf(id, environment);
    if (home === null) return [];
    const isPresent = statIfExists(home)?.isDirectory() ?? false;
    const at = join(home, ...file.split("/"));
    return { id, name: agentName(id), file: at, form, path, entry: entry(program), isPresent };
  });
}

/** opencode and Cline have no hooks of ours; their directories hold settings for this alone. */
function homeOf(id: string, environment: Environment): string | null {
  const { env, homeDir } = environment;
  if (id === "opencode")
    return join(absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config"), "opencode");
  if (id === "cline") return join(homeDir, ".cline");
  return agentHome(id, environment);
}
