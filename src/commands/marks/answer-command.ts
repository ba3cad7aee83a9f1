import { optional } from "../../command/argument.ts";
import { defineCommand } from "../../command/command.ts";
import { jsonOption } from "../../command/common-options.ts";
import { flag } from "../../command/option.ts";
import { wholeNumber } from "../../command/schema.ts";
import type { AnswerMarkKind } from "../../store/contract/types/marks.ts";

/** Defines the command that marks an answer of the hooks; `good` and `bad` differ only in what the mark does. */
export function answerMarkCommand(kind: AnswerMarkKind, position: number, summary: string) {
  return defineCommand({
    name: kind,
    help: { group: "Teach", position },
    summary,
    arguments: {
      answer: optional("answer", wholeNumber(1)),
      turn: optional("turn", wholeNumber(1)),
    },
    options: { undo: flag("Take the mark back"), json: jsonOption },
    examples: ["", " 12", " 12 42", " 12 --undo"].map((args) => `mementor ${kind}${args}`),
    async run({ args, options }, runtime) {
      const { markAnswer } = await import("./answer.ts");
      return markAnswer(runtime, kind, args, options);
    },
  });
}
