import { defineCommand } from "../definition/command.ts";
import { jsonOption } from "../definition/common-options.ts";

export const command = defineCommand({
  name: "status",
  help: { group: "Set up", position: 3 },
  summary: "Show what the memory holds, and whether the hooks work",
  arguments: {},
  options: { json: jsonOption },
  examples: ["mementor status", "mementor status --json"],
  async run({ options }, runtime) {
    const { showStatus } = await import("./status/status.ts");
    return showStatus(options.json, runtime);
  },
});
