import { defineCommand } from "../command-line/command.ts";
import { jsonOption } from "../command-line/option.ts";

export const command = defineCommand({
  name: "status",
  help: { group: "Set up", position: 3 },
  summary: "Show what the memory holds, and whether the hooks work",
  arguments: {},
  options: { json: jsonOption },
  examples: ["mementor status", "mementor status --json"],
  async run({ options }, runtime) {
    const { requireNamedDatabase } = await import("../memory.ts");
    const { collectStatus } = await import("./status/collect.ts");
    const { renderStatus } = await import("./status/text.ts");
    const { printResult } = await import("../terminal/view.ts");
    await requireNamedDatabase(runtime);
    const status = await collectStatus(runtime);
    return printResult(runtime, options, status, renderStatus);
  },
});
