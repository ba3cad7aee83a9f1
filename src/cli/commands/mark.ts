import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, oneOf, optional, viewOptions, wholeNumber } from "../command-line/option.ts";

const AnswerNumber = v.optional(wholeNumber(1));

export const command = defineCommand({
  name: "mark",
  help: { group: "Teach", position: 2 },
  summary: "Say what you think of answers and turns, or list what you said",
  arguments: {
    kind: optional("action", oneOf(["good", "bad", "mute", "pin"])),
    number: optional("number", v.string()),
    turn: optional("turn", wholeNumber(1)),
  },
  actions: [
    ["(nothing)", "List what is marked: good and bad answers, muted and pinned turns"],
    ["good [answer] [turn]", "An answer of the hooks was good; without a number, the newest"],
    ["bad [answer] [turn]", "An answer was bad: its turns are not told for prompts like it"],
    ["mute <turn>", "Keep a turn out of all hooks; search still finds it"],
    ["pin <turn>", "Keep a turn when older ones are removed by age or size"],
  ],
  options: { undo: flag("Take the mark back"), ...viewOptions },
  examples: [
    "mementor mark",
    "mementor mark good",
    "mementor mark bad 12 42",
    "mementor mark mute 42 --undo",
  ],
  async run({ args: { kind, number, turn }, options }, runtime) {
    const { listMarks, markAnswer, markTurn } = await import("./mark/mark.ts");
    if (kind === undefined) {
      if (options.undo) throw misused("Say which mark to take back.", "mementor mark mute 42 --undo");
      return listMarks(runtime, options);
    }
    if (kind === "good" || kind === "bad") {
      const answer = v.safeParse(AnswerNumber, number);
      if (!answer.success) throw misused(`<answer> ${answer.issues[0].message}.`, `mementor mark ${kind} 12`);
      return markAnswer(runtime, kind, { answer: answer.output, turn }, options);
    }
    if (number === undefined) throw misused("<turn> is missing.", `mementor mark ${kind} 42`);
    if (turn !== undefined)
      throw misused(`One turn at a time: not also ${turn}.`, `mementor mark ${kind} 42`);
    return markTurn(runtime, kind, number, options);
  },
});

function misused(message: string, example: string): MementorError {
  return new MementorError("usage", message, { hint: `For example: ${example}` });
}
