import type { CommandSpec } from "./command.ts";

/** The commands by which agents get at the memory. */
export const AGENT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "mcp",
    args: "",
    summary: "Serve the memory to agents through MCP, on stdin and stdout",
    options: [],
    examples: ["claude mcp add mementor -- mementor mcp"],
    load: async () => (await import("./mcp.ts")).run,
  },
  {
    name: "plugin",
    args: "<action>",
    argValues: ["install", "uninstall", "path"],
    summary: "Install the plugin for Claude Code: a skill, a command, the tools and the hooks",
    options: [{ flags: "--json", description: "Print JSON" }],
    examples: ["mementor plugin install", "mementor plugin uninstall"],
    load: async () => (await import("./plugin.ts")).run,
  },
];
