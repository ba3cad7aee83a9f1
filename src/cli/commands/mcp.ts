import { defineCommand } from "../command-line/command.ts";

export const command = defineCommand({
  name: "mcp",
  help: { group: "For programs", position: 1 },
  summary: "Serve the memory to agents through MCP, on stdin and stdout",
  readsTeam: true,
  arguments: {},
  options: {},
  examples: ["claude mcp add mementor -- mementor mcp"],
  printsData: () => true,
  async run(_, runtime) {
    const { serve } = await import("../../mcp/serve.ts");
    const { unlessInterrupted } = await import("../terminal/ask.ts");
    await unlessInterrupted(runtime.host, serve(runtime));
    return 0;
  },
});
