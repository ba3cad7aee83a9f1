import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "pin",
  help: { group: "Teach", position: 5 },
  summary: "Keep a turn when older ones are pruned",
  arguments: { turn: required("turn", v.string()) },
  options: { undo: flag("Take the mark back"), json: jsonOption },
  examples: ["mementor pin 42", "mementor pin 42 --undo"],
  async run({ args: { turn }, options }, runtime) {
    const { markTurn } = await import("./marks/turn.ts");
    return markTurn(runtime, "pin", turn, options);
  },
});
