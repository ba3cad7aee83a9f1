import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption } from "../command-line/option.ts";

export const command = defineCommand({
  name: "doctor",
  help: { group: "Set up", position: 4 },
  summary: "Check everything, including one live recall, and say how to fix problems",
  arguments: {},
  options: {
    fix: flag("Repair what can be repaired; nothing is deleted"),
    secrets: flag("Only look for secrets that an older version stored; with --fix, remove them"),
    json: jsonOption,
  },
  examples: ["mementor doctor", "mementor doctor --fix", "mementor doctor --secrets --fix"],
  async run({ options }, runtime) {
    if (options.secrets) {
      const { examineSecrets } = await import("./doctor/secrets.ts");
      return examineSecrets(options, runtime);
    }
    const { examine } = await import("./doctor/examine.ts");
    return examine(options, runtime);
  },
});
