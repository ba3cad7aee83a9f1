import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { allProjectsOption, rows, viewOptions } from "../command/common-options.ts";
import { flag } from "../command/option.ts";
import { label, wholeNumber } from "../command/schema.ts";
import { MementorError } from "../errors.ts";

export const command = defineCommand({
  name: "told",
  help: { group: "Ask", position: 11 },
  summary: "List what the hooks told Claude, and why they were silent",
  arguments: { number: optional("number", wholeNumber(1)) },
  options: {
    limit: rows,
    session: {
      value: "id",
      description: "Only this session; the start of its id is enough",
      schema: v.optional(label()),
    },
    allProjects: allProjectsOption,
    follow: flag("Keep printing new answers", "f"),
    ...viewOptions,
  },
  examples: ["mementor told", "mementor told 12", "mementor told -f"],
  printsData: ({ words }) => words.length > 0,
  async run({ args: { number }, options }, runtime) {
    if (options.allProjects) {
      if (number !== undefined || options.follow)
        throw new MementorError("usage", "--all-projects only lists answers.", {
          hint: "To see an answer, or follow new ones, name a project with -C.",
        });
      const { listAnswers } = await import("./shared/all-projects.ts");
      return listAnswers(runtime, options);
    }
    const { followAnswers, showAnswer, showAnswers } = await import("./shared/answers.ts");
    if (number !== undefined) return showAnswer(runtime, number, options);
    return options.follow ? followAnswers(runtime, options) : showAnswers(runtime, options);
  },
});
