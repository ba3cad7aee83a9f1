import { defineCommand } from "../command-line/command.ts";
import { enableOptions } from "./enable/options.ts";

export const command = defineCommand({
  name: "enable",
  help: { group: "Set up", position: 1 },
  summary: "Switch the memory on for this project: create it and install the hooks",
  arguments: {},
  options: enableOptions,
  examples: [
    "mementor enable",
    "mementor enable --yes                # nothing is asked",
    "mementor enable --scope project      # for everybody who has mementor",
    "mementor enable --scope user         # for all your projects",
    "mementor enable --adopt-history      # after the project was moved",
    "mementor enable --no-approve         # the agent asks before it asks the memory",
    "mementor enable --for codex,gemini   # these agents too",
  ],
  async run({ options }, runtime) {
    runtime.requireLocal();
    const { enable } = await import("./enable/enable.ts");
    return enable(options, runtime);
  },
});
