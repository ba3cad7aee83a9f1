import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { label, oneOf } from "../command/schema.ts";
import { MementorError } from "../errors.ts";

export const command = defineCommand({
  name: "model",
  help: { group: "Look after", position: 6 },
  summary: "List the embedding models, or use another one",
  arguments: {
    action: optional("action", oneOf(["list", "use", "import", "remove"])),
    target: optional("target", v.string()),
  },
  options: {
    yes: flag("Download what a hub id names without asking; nothing else uses the network", "y"),
    name: {
      value: "name",
      description: "What an imported model is called (default: its directory's name)",
      schema: v.optional(label()),
    },
    pooling: {
      value: "pooling",
      description: "How it makes one vector of many, where its files do not say: cls, mean (default) or last",
      schema: v.optional(oneOf(["cls", "mean", "last"])),
    },
    queryPrefix: {
      value: "text",
      description: "What it wants before a query, where its files do not say",
      schema: v.optional(v.string()),
    },
    documentPrefix: {
      value: "text",
      description: "What it wants before a stored text, likewise",
      schema: v.optional(v.string()),
    },
    files: flag("With remove: take it off this machine too, for all projects"),
    json: jsonOption,
  },
  examples: [
    "mementor model list",
    "mementor model use ./multilingual-e5-small --query-prefix 'query: ' --document-prefix 'passage: '",
    "mementor model use Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    "mementor model use bge-small-en-v1.5-int8      # back to the built-in one",
    "mementor model remove multilingual-e5-small --files",
  ],
  async run({ args: { action = "list", target }, options }, runtime) {
    const actions = await import("./model/actions.ts");
    if (action === "list") {
      if (target === undefined) return actions.list(options, runtime);
      throw new MementorError("usage", `"mementor model list" takes no target, and "${target}" is one.`, {
        hint: "Use list, use <id, directory or hub id>, import <directory> or remove <id>.",
      });
    }
    if (target !== undefined) return actions[action](target, options, runtime);
    throw new MementorError("usage", `"mementor model ${action}" needs a target.`, {
      hint: "Use list, use <id, directory or hub id>, import <directory> or remove <id>.",
    });
  },
});
