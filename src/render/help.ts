import { wrap } from "../text/wrap.ts";
import type { Style } from "./style.ts";
import { renderTerms } from "./table.ts";

/** What help and completions say of a command. */
export interface CommandHelp {
  name: string;
  aliases: readonly string[];
  /** The name and the arguments: `search <text...>`. */
  usage: string;
  summary: string;
  /** What the first argument can be, with what follows it, and what that does. */
  actions: readonly (readonly [shown: string, summary: string])[];
  options: readonly OptionHelp[];
  /** The options of every command that this one takes, too. */
  globals: readonly OptionHelp[];
  examples: readonly string[];
}

export interface OptionHelp {
  /** `-k, --limit <n>` */
  flags: string;
  description: string;
  isFilter?: true;
}

/** Where help is printed. `width` is null for no limit, as in a pipe. */
type Page = { style: Style; width: number | null };

type Options = readonly OptionHelp[];
type CommandLine = Pick<CommandHelp, "usage" | "summary">;

const START: [string, string][] = [
  ["mementor enable", "once, in a project"],
  ['mementor search "why did we ..."', "to ask what was said before"],
];

/**
 * Renders the help of the whole program: every section is a title and its commands; pages are those of the
 * documentation.
 */
export function renderHelp(
  sections: readonly (readonly [title: string, commands: readonly CommandLine[]])[],
  { globals, filters }: { globals: Options; filters: Options },
  pages: readonly string[],
  { style, width }: Page,
): string {
  const names = widthOfNames(sections.flatMap(([, commands]) => commands));
  const rows = (commands: readonly CommandLine[]) => commandRows(commands, names, width);
  return `mementor: a local memory for coding agents. It remembers what was said, decided and done in earlier sessions.

${style.bold("Start with")}
${renderTerms(START, width)}
${sections.map(([title, commands]) => `${style.bold(title)}\n${rows(commands)}\n`).join("")}${style.bold("Options")}
${renderTerms(optionRows(globals), width)}
${style.bold("Filters of lists and searches")}
${renderTerms(optionRows(filters), width)}
${style.bold("Pages")}
${indented(pages.join(", "), width)}
"mementor <command> --help" tells more about a command, with examples.
"mementor help programs" lists the commands that programs call, and those that are seldom needed.
"mementor help <page>" shows a page.
"mementor help --man" prints the manual page, "mementor help <command> --man" that of a command.
`;
}

/** The command that agents call, which is no command of a person. */
const HOOK: CommandLine = {
  usage: "hook <event>",
  summary: "Answer a hook of an agent, whose input is on stdin",
};

/** Renders the list of the commands that programs call, or that are seldom needed. */
export function renderProgramsHelp(commands: readonly CommandLine[], { style, width }: Page): string {
  const all = [HOOK, ...commands];
  return `Commands that programs call, and those that are seldom needed.

${style.bold("Commands")}
${commandRows(all, widthOfNames(all), width)}
"mementor <command> --help" tells more about a command, with examples.
`;
}

function widthOfNames(commands: readonly CommandLine[]): number {
  return Math.max(...commands.map(({ usage }) => usage.length));
}

function commandRows(commands: readonly CommandLine[], names: number, width: number | null): string {
  return renderTerms(
    commands.map(({ usage, summary }) => [usage.padEnd(names), summary]),
    width,
  );
}

/** Renders the help of one command. */
export function renderCommandHelp(command: CommandHelp, { style, width }: Page): string {
  const aliases = command.aliases.length > 0 ? `${style.dim(`Also: ${command.aliases.join(", ")}`)}\n` : "";
  const own = command.options.filter(({ isFilter }) => !isFilter);
  const filters = command.options.filter(({ isFilter }) => isFilter);
  const actions =
    command.actions.length > 0 ? `${style.bold("Actions")}\n${renderTerms(command.actions, width)}\n` : "";
  const examples = command.examples.map((example) => `  ${example}\n`).join("");
  return `${command.summary}.

${style.bold("Usage")}
  mementor ${command.usage} [options]
${aliases}
${actions}${style.bold("Options")}
${renderTerms(optionRows(own), width)}${namesLine("Filters", filters, width)}${namesLine("Like every command", command.globals, width)}
${style.bold("Examples")}
${examples}`;
}

/** Names options that the help of the program describes; empty without any. */
function namesLine(title: string, options: Options, width: number | null): string {
  if (options.length === 0) return "";
  const names = options.map(({ flags }) => flags.replace(/^-\w, /, "").replace(/ <.*/, ""));
  return indented(`${title}: ${names.join(", ")} (see "mementor --help")`, width);
}

/** How wide a line of names is in a pipe. */
const PIPE_WIDTH = 100;

function indented(text: string, width: number | null): string {
  const lines = wrap(text, (width ?? PIPE_WIDTH) - 2);
  return lines.map((line) => `  ${line}\n`).join("");
}

/** Long names stand below each other, whether there is a short one or not. */
function optionRows(options: Options): [string, string][] {
  return options.map(({ flags, description }) => [
    flags.startsWith("--") ? `    ${flags}` : flags,
    description,
  ]);
}
