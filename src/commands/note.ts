import { words } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";

export const command = defineCommand({
  name: "note",
  help: { group: "Teach", position: 1 },
  summary: "Store a decision of yours, which is told like a turn",
  arguments: { text: words("text") },
  options: { json: jsonOption },
  examples: [
    'mementor note "We keep the API synchronous: clients may retry"',
    "git log -1 --format=%B | mementor note -",
    "mementor recent --from note",
  ],
  async run({ args: { text }, options }, runtime) {
    const { note } = await import("./note/note.ts");
    return note(text, options, runtime);
  },
});
