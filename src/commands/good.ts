import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { wholeNumber } from "../command/schema.ts";

export const command = defineCommand({
  name: "good",
  help: { group: "Teach", position: 2 },
  summary: "Mark an answer of the hooks as good; without a number, the newest",
  arguments: {
    answer: optional("answer", wholeNumber(1)),
    turn: optional("turn", wholeNumber(1)),
  },
  options: { undo: flag("Take the mark back"), json: jsonOption },
  examples: ["mementor good", "mementor good 12", "mementor good 12 42", "mementor good 12 --undo"],
  async run({ args, options }, runtime) {
    const { markAnswer } = await import("./marks/answer.ts");
    return markAnswer(runtime, "good", args, options);
  },
});
