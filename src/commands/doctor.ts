import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "doctor",
  help: { group: "Set up", position: 4 },
  summary: "Check everything, up to one live recall, and say what to do about it",
  arguments: {},
  options: { fix: flag("Mend what can be mended; nothing is deleted"), json: jsonOption },
  examples: ["mementor doctor", "mementor doctor --fix"],
  async run({ options }, runtime) {
    const { examine } = await import("./doctor/examine.ts");
    return examine(options, runtime);
  },
});
