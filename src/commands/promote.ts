import * as v from "valibot";
import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { label, oneOf } from "../command/schema.ts";
import { MementorError } from "../errors.ts";

export const command = defineCommand({
  name: "promote",
  help: { group: "Teach", position: 3 },
  summary: "Write a statement of a turn or a note into CLAUDE.md or AGENTS.md",
  arguments: { turn: required("turn", v.string()) },
  options: {
    to: {
      value: "file",
      description: "CLAUDE.md or AGENTS.md; asked where both are there",
      schema: v.optional(oneOf(["CLAUDE.md", "AGENTS.md"])),
    },
    about: {
      value: "words",
      description: "Take the statement of the turn that is most on these words",
      schema: v.optional(label()),
    },
    print: flag("Only print the line"),
    undo: flag("Take the line out again"),
    yes: flag("Do not ask", "y"),
    json: jsonOption,
  },
  examples: ["mementor promote 42", "mementor promote 42 --to AGENTS.md --yes", "mementor promote 42 --undo"],
  async run({ args: { turn }, options }, runtime) {
    if (options.print && options.undo)
      throw new MementorError("usage", '"--print" and "--undo" cannot be combined.');
    const { promote } = await import("./promote/promote.ts");
    return promote(turn, options, runtime);
  },
});
