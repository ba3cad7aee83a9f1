import { defineCommand } from "../command/command.ts";
import { SYSTEM } from "../io/system.ts";

export const command = defineCommand({
  name: "mcp",
  help: { group: "More", position: 2 },
  summary: "Serve the memory to agents through MCP, on stdin and stdout",
  arguments: {},
  options: {},
  examples: ["claude mcp add mementor -- mementor mcp"],
  /** Serves the project that Claude Code was started in, whatever directory it starts its servers in. */
  async run(_, runtime) {
    const { CLAUDE_PROJECT_DIR: project = "" } = runtime.host.env;
    const cwd = SYSTEM.isAbsolute(project) ? project : runtime.host.cwd;
    const { serve } = await import("../mcp/serve.ts");
    await serve(runtime.renewed(cwd), cwd);
    return 0;
  },
});
