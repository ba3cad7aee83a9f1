import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, label, oneOf, words } from "../command-line/option.ts";

export const command = defineCommand({
  name: "note",
  help: { group: "Teach", position: 1 },
  summary: "Store a decision of yours, or put what was said into CLAUDE.md",
  arguments: { text: words("text") },
  options: {
    to: {
      value: "file",
      description: "With a turn's number as the text: write what it says into CLAUDE.md or AGENTS.md",
      schema: v.optional(oneOf(["CLAUDE.md", "AGENTS.md"])),
    },
    about: {
      value: "words",
      description: "With --to: the sentence of it that is most about these words",
      schema: v.optional(label()),
    },
    print: flag("With --to: print the line, and write nothing"),
    undo: flag("With a turn's number as the text: take its line out again"),
    yes: flag("With --to: do not ask", "y"),
    json: jsonOption,
  },
  examples: [
    'mementor note "We keep the API synchronous: clients may retry"',
    "git log -1 --format=%B | mementor note -",
    "mementor note 42 --to CLAUDE.md",
    "mementor note 42 --undo",
    "mementor recent --from note",
  ],
  async run({ args: { text }, options }, runtime) {
    const { to, about, print, undo, yes } = options;
    if (print && undo) throw new MementorError("usage", '"--print" and "--undo" cannot be combined.');
    if (undo || to !== undefined) {
      const { demote, promote } = await import("./note/note.ts");
      return undo
        ? demote(text, options, runtime)
        : promote(text, { ...options, to: to ?? "CLAUDE.md" }, runtime);
    }
    if (about !== undefined || print || yes)
      throw new MementorError("usage", "--about, --print and --yes are for --to.", {
        hint: "mementor note 42 --to CLAUDE.md --print",
      });
    const { note } = await import("./note/note.ts");
    return note(text, options, runtime);
  },
});
