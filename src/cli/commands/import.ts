import * as v from "valibot";
import { defineCommand } from "../command-line/command.ts";
import { consentOptions, flag, label, required } from "../command-line/option.ts";

export const command = defineCommand({
  name: "import",
  help: { group: "For programs", position: 5 },
  summary: "Import what another memory exported, marked with its origin",
  arguments: { file: required("file", v.string()) },
  options: {
    from: {
      value: "name",
      description: "Name of the origin (default: the name in the file)",
      schema: v.optional(label()),
    },
    again: flag('Also import what "forget --imported" removed'),
    textOnly: flag("Embed later; searching by keywords works at once"),
    now: flag("Embed at once and wait for it, instead of in the background"),
    dryRun: flag("Show what the file holds, and import nothing"),
    yes: consentOptions.yes,
    json: consentOptions.json,
  },
  examples: [
    "mementor import memory.jsonl",
    "mementor import memory.jsonl --from ada --yes",
    "mementor import memory.jsonl --again   # after forget --imported",
    "ssh grace mementor export -C app | mementor import -",
  ],
  async run({ args, options }, runtime) {
    const { importMemory } = await import("./import/import.ts");
    return importMemory(args.file, options, runtime);
  },
});
