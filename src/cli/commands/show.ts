import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { filtersBut, type TypedFilter } from "../../store/filter.ts";
import { defineCommand } from "../command-line/command.ts";
import { filterOptions } from "../command-line/filter.ts";
import {
  flag,
  LIST_ROWS,
  longName,
  required,
  rows,
  viewOptions,
  wholeNumber,
} from "../command-line/option.ts";
import { view } from "../terminal/view.ts";

/** What can be shown in place of the text, of which a command line names one. */
const FORMS = ["raw", "turns", "related", "resume"] as const;

export const command = defineCommand({
  name: "show",
  help: { group: "Ask", position: 3 },
  summary: "Print a whole turn or session, its turns, what is related to it, or how to continue it",
  readsTeam: true,
  arguments: { wanted: required("turn|session|path", v.string()) },
  options: {
    context: {
      value: "n",
      description: "Also show this many turns before and after it",
      schema: v.optional(wholeNumber(0, 1_000), "0"),
    },
    raw: flag("Print the original lines, while the transcript still exists"),
    thinking: flag("Show all that the assistant thought, not only the first line of each thought"),
    turns: flag("List the turns of a session, a line each"),
    related: flag(
      "List sessions that worked on the same files or discussed the same things; takes a path, too",
    ),
    limit: {
      ...rows,
      description: `With --related: maximum number of rows, those that are only similar too (default: ${LIST_ROWS} without these)`,
      schema: v.optional(rows.schema.wrapped),
    },
    resume: flag("Print the command that continues the session in its agent"),
    exec: flag("With --resume: run the command instead of printing it"),
    ...filterOptions("session"),
    ...viewOptions,
  },
  examples: [
    "mementor show 42 --context 2",
    "mementor show 1b7c0a52 --turns",
    "mementor show src/store.ts --related",
    "mementor show 42 --resume",
  ],
  printsData: ({ options }) => options.raw === true,
  async run({ args: { wanted }, options }, runtime) {
    checkForm(options);
    if (options.resume) {
      const { printResumption } = await import("./show/resume.ts");
      return printResumption(runtime, wanted, options);
    }
    return view(runtime, options, async (store) => {
      if (options.related)
        return (await import("./show/related.ts")).showRelated(store, wanted, options, runtime);
      if (options.turns)
        return (await import("./show/related.ts")).showTurns(store, wanted, options, runtime);
      return (await import("./show/text.ts")).showText(store, wanted, options);
    });
  },
});

/** Throws `usage` for two forms at once, and for an option that its form does not heed. */
function checkForm(
  options: TypedFilter & { [form in (typeof FORMS)[number]]: boolean } & {
    exec: boolean;
    limit?: number | undefined;
  },
): void {
  const [form, other] = FORMS.filter((name) => options[name]);
  if (form !== undefined && other !== undefined)
    throw new MementorError("usage", `--${form} and --${other} exclude each other.`, {
      hint: "Leave one of them out.",
    });
  if (options.exec && form !== "resume") throw onlyWith("exec", "--resume");
  if (options.limit !== undefined && form !== "related") throw onlyWith("limit", "--related");
  if (form === "turns" || form === "related") return;
  const heeded = form === "resume" ? ["author"] : [];
  const filter = filtersBut("session").find(
    (name) => (options[name] ?? false) !== false && !heeded.includes(name),
  );
  if (filter !== undefined) throw onlyWith(filter, "--turns and --related");
}

function onlyWith(option: string, form: string): MementorError {
  return new MementorError("usage", `--${longName(option)} is for ${form}.`, {
    hint: 'Run "mementor show --help" for the options.',
  });
}
