import type { AgentTarget } from "../../project/agent-hooks/targets.ts";
import type { McpTarget } from "../../project/agent-mcp/targets.ts";

/** The agents in `--for`; null without it. */
export type Named = readonly string[] | "all" | null;

/** Other agents that get hooks or the MCP server in their settings. */
export interface Chosen {
  hooks: AgentTarget[];
  servers: McpTarget[];
  /** Ids of agents that the person refused just now. */
  refused: string[];
  /** Ids of agents that the person named. */
  named: string[];
  /** Whether Codex shall trust the hooks. */
  trusts: boolean;
}

/** How to set up other agents. */
export interface AgentOptions {
  /** Register the MCP server with agents that get hooks, too. */
  mcp: boolean;
  /** Install opencode's plugin. */
  plugin: boolean;
  /** Whether agents may ask the memory without a question. */
  approves: boolean;
  /** Whether a person can answer questions. */
  asks: boolean;
}
