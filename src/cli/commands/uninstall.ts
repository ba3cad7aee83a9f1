import { defineCommand } from "../command-line/command.ts";
import { consentOptions, flag } from "../command-line/option.ts";

export const command = defineCommand({
  name: "uninstall",
  help: { group: "Set up", position: 6 },
  summary: "Remove mementor from all projects and from this machine; the memories stay",
  arguments: {},
  options: { purge: flag("Also delete the memories and mementor's settings"), ...consentOptions },
  examples: ["mementor uninstall --dry-run", "mementor uninstall", "mementor uninstall --purge --yes"],
  async run({ options }, runtime) {
    const { uninstall } = await import("./uninstall/uninstall.ts");
    return uninstall(options, runtime);
  },
});
