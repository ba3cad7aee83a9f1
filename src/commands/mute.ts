import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";

export const command = defineCommand({
  name: "mute",
  help: { group: "Teach", position: 4 },
  summary: "Keep a turn out of all hooks; search still finds it",
  arguments: { turn: required("turn", v.string()) },
  options: { undo: flag("Take the mark back"), json: jsonOption },
  examples: ["mementor mute 42", "mementor mute 42 --undo"],
  async run({ args: { turn }, options }, runtime) {
    const { markTurn } = await import("./marks/turn.ts");
    return markTurn(runtime, "mute", turn, options);
  },
});
