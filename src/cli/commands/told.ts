import * as v from "valibot";
import { LOG_LEVELS } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  allProjectsOption,
  flag,
  label,
  oneOf,
  optional,
  rows,
  viewOptions,
  wholeNumber,
} from "../command-line/option.ts";

/** The error for what cannot be done in all projects at once: to follow new answers, or to print one. */
function notInAll(number: number | undefined): MementorError {
  const what = number === undefined ? "--follow works" : "The number of an answer counts";
  return new MementorError("usage", `${what} in one project only, not with --all-projects.`, {
    hint: `Name the project: mementor -C ../api told ${number ?? "-f"}`,
  });
}

export const command = defineCommand({
  name: "told",
  help: { group: "Ask", position: 8 },
  summary: "List what hooks told agents, why they were silent, and what agents asked",
  arguments: { number: optional("number", wholeNumber(1)) },
  options: {
    limit: rows,
    session: {
      value: "id",
      description: "Only this session; the start of its id is enough",
      schema: v.optional(label()),
    },
    allProjects: allProjectsOption,
    follow: flag("Keep printing new answers, or new lines of the log", "f"),
    log: flag("Show what the hooks and the background work have logged instead"),
    level: {
      value: "level",
      description: "With --log: only this level and more severe: error, warn, info or debug",
      schema: v.optional(oneOf(LOG_LEVELS)),
    },
    ...viewOptions,
  },
  examples: ["mementor told", "mementor told 12", "mementor told -f", "mementor told --log --level warn"],
  printsData: ({ words }, isTerminal) => words.length > 0 && !isTerminal,
  async run({ args: { number }, options }, runtime) {
    if (options.log) {
      if (number !== undefined || options.session !== undefined || options.allProjects)
        throw new MementorError("usage", "--log shows the log of this project, and no answers.", {
          hint: "Leave out the number, --session and --all-projects.",
        });
      const { showLog } = await import("./told/log.ts");
      return showLog(runtime, { ...options, level: options.level ?? "debug" });
    }
    if (options.level !== undefined)
      throw new MementorError("usage", "--level is for the log.", {
        hint: "mementor told --log --level warn",
      });
    if (options.allProjects) {
      if (number !== undefined || options.follow) throw notInAll(number);
      const { listAnswers } = await import("./told/answers.ts");
      return listAnswers(runtime, options);
    }
    const { followAnswers, showAnswer, showAnswers } = await import("./told/answers.ts");
    if (number !== undefined) return showAnswer(runtime, number, options);
    return options.follow ? followAnswers(runtime, options) : showAnswers(runtime, options);
  },
});
