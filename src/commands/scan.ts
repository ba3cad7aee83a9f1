import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "scan",
  help: { group: "Look after", position: 7 },
  summary: "Look for secrets that an older version stored, and remove them",
  arguments: {},
  options: {
    fix: flag("Remove what is found, and rewrite the file without it"),
    json: jsonOption,
  },
  examples: ["mementor scan", "mementor scan --fix", "mementor scan --json"],
  async run({ options }, runtime) {
    const { scan } = await import("./scan/scan.ts");
    return scan(options, runtime);
  },
});
