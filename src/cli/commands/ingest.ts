import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, list } from "../command-line/option.ts";

export const command = defineCommand({
  name: "ingest",
  help: { group: "For programs", position: 6 },
  summary: "Read what agents have left on disk of this project, or the named transcripts",
  arguments: { paths: list("paths") },
  options: {
    textOnly: flag("Embed later; searching by keywords works at once"),
    now: flag("Embed at once what waits for the background, too, on battery and on a busy machine"),
    json: jsonOption,
  },
  examples: ["mementor ingest", "mementor ingest ~/.claude/projects/-home-me-app", "mementor ingest --now"],
  async run({ args, options }, runtime) {
    const { ingest } = await import("./ingest/ingest.ts");
    return ingest(args.paths, options, runtime);
  },
});
