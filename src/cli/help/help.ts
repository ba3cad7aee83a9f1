import { MementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import { hasUtf8Locale } from "../../text/invisible.ts";
import { VERSION } from "../../version.ts";
import {
  type Command,
  commandUsage,
  FOR_PROGRAMS,
  globalsOf,
  helpSections,
  optionRows,
} from "../command-line/command.ts";
import { unknownCommand } from "../command-line/mistakes.ts";
import { filterOptions, GLOBAL_OPTIONS, type Options } from "../command-line/option.ts";
import { loadCommand, loadCommands } from "../command-line/parse.ts";
import { OVERVIEW } from "../commands/overview.ts";
import { printPaged } from "../terminal/pager.ts";
import { asciiHost, styleFor } from "../terminal/screen.ts";
import { type Block, parseMarkdown, renderHelp, renderManual, renderPage, type Terms } from "./blocks.ts";
import { PAGES } from "./pages.ts";

/** The topic of the help, and how to print it. */
interface HelpRequest {
  /** A command or a page; absent for the program. */
  topic: string | undefined;
  /** True if as a manual page. */
  isManual: boolean;
  pager: boolean;
}

/** Prints the help of the program, of a command or a page of the documentation. Throws `usage` for an unknown topic. */
export async function printHelp(host: Host, { topic, isManual, pager }: HelpRequest): Promise<void> {
  const command = topic === undefined ? null : await loadCommand(topic);
  if (topic === undefined || command !== null) {
    if (isManual) return printManual(host, command, pager);
    return command === null ? print(host, overview()) : printCommandHelp(host, command);
  }
  if (topic === "programs" && !isManual) return print(host, forPrograms());
  const page = PAGES.get(topic);
  if (page === undefined) throw unknownCommand(topic, await loadCommands(), [...PAGES.keys()]);
  if (isManual)
    throw new MementorError(
      "usage",
      `"${topic}" is a page of the documentation, not a command with a manual page.`,
      {
        hint: `Run "mementor help ${topic}" to read it.`,
      },
    );
  await printPage(host, parseMarkdown((await page()).default), pager);
}

/** Prints the help of a command. */
export function printCommandHelp(host: Host, command: Command): void {
  print(host, commandBlocks(command, "short"));
}

function print(host: Host, blocks: readonly Block[]): void {
  host.stdout.write(renderHelp(blocks, screenOf(host)));
}

/** Prints a manual page: as troff to a pipe, for man; as text on a terminal, which cannot show troff. */
async function printManual(host: Host, command: Command | null, pager: boolean): Promise<void> {
  const blocks = command === null ? await manual() : commandManual(command);
  if (host.stdout.columns !== null) return printPage(host, blocks, pager);
  const name = command === null ? "mementor" : `mementor-${command.name}`;
  host.stdout.write(renderManual(blocks, name, VERSION));
}

/** Prints blocks in the terminal's width, except code, which must stay unbroken for copying. */
function printPage(host: Host, blocks: readonly Block[], pager: boolean): Promise<void> {
  const text = renderPage(blocks, screenOf(host));
  return printPaged(hasUtf8Locale(host.env) ? host : asciiHost(host), text, pager, "whole");
}

function screenOf({ stdout, env }: Host) {
  return { style: styleFor(stdout, env), width: stdout.columns };
}

function section(text: string, ...blocks: Block[]): Block[] {
  return [{ kind: "heading", level: 2, text }, ...blocks];
}

function terms(rows: Terms): Block {
  return { kind: "terms", rows };
}

const START: Terms = [
  ["mementor enable", "once, in a project"],
  ['mementor search "why did we ..."', "to ask what was said before"],
];

const MORE: Terms = [
  ["mementor <command> --help", "more about a command, with examples"],
  ["mementor help programs", "commands for programs, and commands that are seldom needed"],
  ["mementor help <page>", "a page of the documentation"],
  ["mementor help --man", 'the manual page; "mementor help <command> --man" is that of a command'],
];

/** Returns the help of the whole program. */
function overview(): Block[] {
  const sections = OVERVIEW.filter(([title]) => title !== FOR_PROGRAMS);
  const names = Math.max(...sections.flatMap(([, rows]) => rows.map(([usage]) => usage.length)));
  return [
    {
      kind: "paragraph",
      text: "mementor: a local memory for coding agents. It remembers what was said, decided and done in earlier sessions.",
    },
    ...section("Start with", terms(START)),
    ...sections.flatMap(([title, rows]) =>
      section(title, terms(rows.map(([usage, summary]) => [usage.padEnd(names), summary]))),
    ),
    ...section("Options", terms(alignedRows(GLOBAL_OPTIONS))),
    ...section("Filters of lists and searches", terms(alignedRows(filterOptions()))),
    ...section("Pages", { kind: "paragraph", text: [...PAGES.keys()].join(", "), indent: "  " }),
    ...section("More", terms(MORE)),
  ];
}

/** Returns the help on commands for programs, including `hook`, which only agents call. */
function forPrograms(): Block[] {
  const rows = OVERVIEW.flatMap(([title, listed]) => (title === FOR_PROGRAMS ? listed : []));
  const hook = ["hook <event>", "Answer a hook of an agent, whose input is on stdin"] as const;
  return [
    { kind: "paragraph", text: "Commands for programs, and commands that are seldom needed." },
    ...section("Commands", terms([hook, ...rows])),
    ...section("More", terms(MORE.slice(0, 1))),
  ];
}

/** Returns options with aligned long names, whether or not they have a short one. */
function alignedRows(options: Options): Terms {
  return optionRows(options).map(([flags, text]) => [flags.startsWith("--") ? `    ${flags}` : flags, text]);
}

/** Returns the help of a command. The short form only names the options that commands share. */
function commandBlocks(command: Command, form: "short" | "whole"): Block[] {
  const { summary, actions = [], options, examples } = command;
  const globals = globalsOf(command);
  const { own, filters } = splitOptions(options);
  const shown =
    form === "whole"
      ? [terms(alignedRows({ ...own, ...filters, ...globals }))]
      : [
          terms(alignedRows(own)),
          ...optionNames("Filters", filters),
          ...optionNames("Like every command", globals),
        ];
  return [
    { kind: "paragraph", text: `${summary}.` },
    ...section(
      "Usage",
      { kind: "code", lines: [`mementor ${commandUsage(command)} [options]`] },
      ...aliasLine(command),
    ),
    ...(actions.length > 0 ? section("Actions", terms(actions)) : []),
    ...section("Options", ...shown),
    ...(examples.length > 0 ? section("Examples", { kind: "code", lines: examples }) : []),
  ];
}

/** Separates a command's own options from filters, which mean the same in every list. */
function splitOptions(options: Options): { own: Options; filters: Options } {
  const { own = [], filters = [] } = Object.groupBy(Object.entries(options), ([, { isFilter }]) =>
    isFilter ? "filters" : "own",
  );
  return { own: Object.fromEntries(own), filters: Object.fromEntries(filters) };
}

function aliasLine({ aliases = [] }: Command): Block[] {
  return aliases.length > 0 ? [{ kind: "paragraph", text: `Also: ${aliases.join(", ")}`, indent: "  " }] : [];
}

/** Returns a line that names options described in the program's help. */
function optionNames(title: string, options: Options): Block[] {
  const names = optionRows(options).map(([flags]) => flags.replace(/^-\w, /, "").replace(/ <.*/, ""));
  if (names.length === 0) return [];
  return [{ kind: "paragraph", text: `${title}: ${names.join(", ")} (see "mementor --help")`, indent: "  " }];
}

function commandManual(command: Command): Block[] {
  return [
    ...section("Name", { kind: "paragraph", text: `mementor-${command.name} - ${command.summary}` }),
    ...commandBlocks(command, "whole").slice(1),
  ];
}

/** The variables of the manual's section on the environment, each with its meaning. */
const ENVIRONMENT: Terms = [
  ["MEMENTOR_*", 'A setting, its name in capitals: MEMENTOR_BUDGETS_PROMPT=1000. See "mementor config".'],
  ["CLAUDE_CONFIG_DIR", "Where Claude Code keeps its files; ~/.claude otherwise."],
  ["XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME", "Where the user's files are."],
  ["MEMENTOR_PATIENCE", "Factor for the time limits of hooks on a slow machine: 1 to 100."],
  ["NO_COLOR", "Switches colours off."],
];
const EXIT_STATUS: Terms = [
  ["0", "Success."],
  ["1", "An error."],
  ["64", "Wrong usage."],
  ["130", "Ctrl-C ended the command."],
];
const FILES: Terms = [
  ["~/.config/mementor/config.json", "Settings for all projects."],
  [
    "~/.local/share/mementor/",
    "The memories (elsewhere on macOS and Windows), and the program that hooks start.",
  ],
  ["~/.cache/mementor/", "Libraries and the model, unpacked."],
];
const DESCRIPTION =
  "mementor reads the transcripts that coding agents leave on disk and gives the passages that matter back: to the agents through hooks and an MCP server, and to people on the command line. Everything stays on this machine.";

/** Returns the manual of the program: every command with its options and examples. */
async function manual(): Promise<Block[]> {
  const text = (line: string): Block => ({ kind: "paragraph", text: line });
  const commands = helpSections(await loadCommands()).flatMap(([title, listed]) => [
    ...section(`Commands: ${title}`),
    ...listed.flatMap((command): Block[] => [
      { kind: "heading", level: 3, text: `mementor ${commandUsage(command)}` },
      text(`${command.summary}.`),
      ...aliasLine(command),
      terms([...(command.actions ?? []), ...optionRows(splitOptions(command.options).own)]),
      { kind: "code", lines: command.examples },
    ]),
  ]);
  return [
    ...section("Name", text("mementor - a local memory for coding agents")),
    ...section("Synopsis", text("mementor <command> [options] [arguments]")),
    ...section("Description", text(DESCRIPTION)),
    ...section(
      "Options",
      text("Commands take these options, those for a team where they read one:"),
      terms(optionRows(GLOBAL_OPTIONS)),
    ),
    ...section("Filters", text("Lists and searches take these options:"), terms(optionRows(filterOptions()))),
    ...commands,
    ...section("Environment", terms(ENVIRONMENT)),
    ...section("Exit status", terms(EXIT_STATUS)),
    ...section("Files", terms(FILES)),
    ...section(
      "See also",
      text('"mementor <command> --help" describes a command, "mementor licenses" prints all licences.'),
    ),
  ];
}
