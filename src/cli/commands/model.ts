import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import { oneOf, optional } from "../command-line/option.ts";
import { modelOptions } from "./model/options.ts";

export const command = defineCommand({
  name: "model",
  help: { group: "For programs", position: 3 },
  summary: "List the embedding models, or use another one",
  arguments: {
    action: optional("action", oneOf(["list", "use", "import", "remove"])),
    target: optional("target", v.string()),
  },
  options: modelOptions,
  examples: [
    "mementor model list",
    "mementor model use multilingual --background  # many languages, from a release",
    "mementor model use ./multilingual-e5-small --query-prefix 'query: ' --document-prefix 'passage: '",
    "mementor model use Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    "mementor model use bge-small-en-v1.5-int8      # back to the built-in one",
    "mementor model remove multilingual-e5-small --files",
  ],
  async run({ args: { action = "list", target }, options }, runtime) {
    const actions = await import("./model/actions.ts");
    if (action === "list") {
      if (target === undefined) return actions.list(options, runtime);
      throw new MementorError("usage", `"mementor model list" takes no target.`, {
        hint: "Use list, use <id, directory or hub id>, import <directory> or remove <id>.",
      });
    }
    if (target !== undefined) return actions[action](target, options, runtime);
    throw new MementorError("usage", `"mementor model ${action}" needs a target.`, {
      hint: "Use list, use <id, directory or hub id>, import <directory> or remove <id>.",
    });
  },
});
