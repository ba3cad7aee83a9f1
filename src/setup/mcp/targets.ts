import type { Environment } from "../../agents/agent.ts";
import { agentHome, isUsed } from "../../agents/list.ts";
import { agentName } from "../../agents/names.ts";
import { type AgentFile, fileIn } from "../hooks/targets.ts";

/** How an agent's configuration starts our MCP server. */
interface AgentMcp {
  id: string;
  /** Below the agent's directory: the first one that is there, else the last. */
  files: readonly string[];
  /** Where the server's entry stands; `toml` is Codex's form. */
  form: "json" | "toml";
  /** Keys down to the object that holds the servers. */
  path: string;
  entry: (program: string) => object;
}

const stdio = (program: string) => ({ command: program, args: ["mcp"] });

const AGENT_MCP: readonly AgentMcp[] = [
  { id: "codex", files: ["config.toml"], form: "toml", path: "mcp_servers", entry: stdio },
  { id: "gemini", files: ["settings.json"], form: "json", path: "mcpServers", entry: stdio },
  { id: "qwen", files: ["settings.json"], form: "json", path: "mcpServers", entry: stdio },
  {
    id: "copilot",
    files: ["mcp-config.json"],
    form: "json",
    path: "mcpServers",
    entry: (program) => ({ type: "local", ...stdio(program), tools: ["*"] }),
  },
  {
    id: "opencode",
    files: ["opencode.jsonc", "config.json", "opencode.json"],
    form: "json",
    path: "mcp",
    entry: (program) => ({ type: "local", command: [program, "mcp"], enabled: true }),
  },
  { id: "cursor", files: ["mcp.json"], form: "json", path: "mcpServers", entry: stdio },
  {
    id: "droid",
    files: ["mcp.json"],
    form: "json",
    path: "mcpServers",
    entry: (program) => ({ type: "stdio", ...stdio(program) }),
  },
  { id: "antigravity", files: ["mcp_config.json"], form: "json", path: "mcpServers", entry: stdio },
  {
    id: "cline",
    files: ["settings/cline_mcp_settings.json"],
    form: "json",
    path: "mcpServers",
    entry: stdio,
  },
];

/** An agent whose configuration can start our MCP server. */
export interface McpTarget extends AgentFile {
  form: AgentMcp["form"];
  path: string;
  entry: object;
  isPresent: boolean;
}

/** Ids of the agents that `enable --mcp` knows. */
export const MCP_AGENTS: readonly string[] = AGENT_MCP.map(({ id }) => id);

/** `program` is the file that hooks start too, as an absolute path: no agent expands variables in a command. */
export function mcpTargets(environment: Environment, program: string): McpTarget[] {
  return AGENT_MCP.flatMap(({ id, files, form, path, entry }) => {
    const home = agentHome(id, environment);
    if (home === null) return [];
    const isPresent = isUsed(id, environment);
    return {
      id,
      name: agentName(id),
      file: fileIn(home, files),
      form,
      path,
      entry: entry(program),
      isPresent,
    };
  });
}
