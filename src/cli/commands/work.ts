import { defineCommand } from "../command-line/command.ts";
import { flag } from "../command-line/option.ts";

export const command = defineCommand({
  name: "work",
  summary: "Process what the hooks have queued",
  arguments: {},
  options: { unpack: flag("First unpack the files that prompts need") },
  examples: ["mementor work"],
  async run({ options }, runtime) {
    const { runQueue } = await import("../worker/worker.ts");
    return runQueue(options, runtime);
  },
});
