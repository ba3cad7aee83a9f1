import * as v from "valibot";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, list, wholeNumber } from "../command-line/option.ts";

/**
 * What agents may run without asking. A rule that approves it approves all its options, so there is none that reaches
 * beyond the memory of the enabled project that it runs in.
 */
export const command = defineCommand({
  name: "recall",
  help: { group: "Ask", position: 2 },
  summary: "Answer a question from this project alone, in few words, as agents ask it",
  arguments: { query: list("text") },
  isConfined: true,
  options: {
    show: {
      value: "turn|n-m|session",
      description: "Print a turn: how it ended, what was said next, prompt, steps; or several in order",
      schema: v.optional(v.string()),
    },
    thinking: flag("With --show and one turn: also print what was only thought"),
    file: {
      value: "path",
      description: "List the turns that changed or read a file",
      schema: v.optional(v.string()),
    },
    recent: flag("List the latest turns"),
    sessions: flag("List the latest sessions"),
    limit: {
      short: "n",
      value: "n",
      description: "Maximum number of results",
      schema: v.optional(wholeNumber(1, 50)),
    },
    cursor: {
      value: "n",
      description: "Continue after an earlier answer, which names this number",
      schema: v.optional(wholeNumber(0, 999_999_999)),
    },
    json: jsonOption,
  },
  examples: [
    "mementor recall 'why did we choose sqlite'",
    "mementor recall <<'EOF'              # the question follows, in any signs, up to a line EOF",
    "mementor recall --show 42",
    "mementor recall --show 40-46",
    "mementor recall --file src/store.ts",
    "mementor recall --recent",
  ],
  async run({ args: { query }, options }, runtime) {
    const { recall } = await import("./recall/recall.ts");
    return recall(query.join(" ").trim(), options, runtime);
  },
});
