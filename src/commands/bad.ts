import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { wholeNumber } from "../command/schema.ts";

export const command = defineCommand({
  name: "bad",
  help: { group: "Teach", position: 3 },
  summary: "Mark an answer as bad: its turns are not told for prompts like it",
  arguments: {
    answer: optional("answer", wholeNumber(1)),
    turn: optional("turn", wholeNumber(1)),
  },
  options: { undo: flag("Take the mark back"), json: jsonOption },
  examples: ["mementor bad", "mementor bad 12", "mementor bad 12 42", "mementor bad 12 --undo"],
  async run({ args, options }, runtime) {
    const { markAnswer } = await import("./marks/answer.ts");
    return markAnswer(runtime, "bad", args, options);
  },
});
