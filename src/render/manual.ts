import type { CommandHelp, OptionHelp } from "./help.ts";

export interface Manual {
  version: string;
  /** Sections of the list of commands, in their order. */
  sections: readonly (readonly [title: string, commands: readonly CommandHelp[]])[];
  /** Options of every command. */
  globals: readonly OptionHelp[];
  /** Options of lists and searches, which mean the same everywhere. */
  filters: readonly OptionHelp[];
}

/** Renders the manual page in the man(7) macros of troff. */
export function renderManual({ version, sections, globals, filters }: Manual): string {
  const commands = sections.flatMap(([title, listed]) => [`.SS ${quoted(title)}`, ...listed.flatMap(entry)]);
  return `${[
    `.TH MEMENTOR 1 "" ${quoted(`mementor ${version}`)} "User Commands"`,
    ".SH NAME",
    "mementor \\- a local memory for coding agents",
    ".SH SYNOPSIS",
    ".B mementor",
    ".I command",
    "[options] [arguments]",
    ".SH DESCRIPTION",
    roff(
      "mementor reads the transcripts that coding agents leave on disk and gives the passages that matter back:",
    ),
    roff("to the agents through hooks and an MCP server, and to people on the command line."),
    roff("Everything stays on this machine."),
    ".SH OPTIONS",
    roff("Every command takes these options:"),
    ...globals.flatMap(optionEntry),
    ".SH FILTERS",
    roff("Lists and searches take these options:"),
    ...filters.flatMap(optionEntry),
    ".SH COMMANDS",
    ...commands,
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, text]) => [".TP", `.B ${roff(name)}`, roff(text)]),
    ".SH EXIT STATUS",
    ...EXIT_STATUS.flatMap(([code, text]) => [".TP", `.B ${code}`, roff(text)]),
    ".SH FILES",
    ...FILES.flatMap(([path, text]) => [".TP", `.I ${roff(path)}`, roff(text)]),
    ".SH SEE ALSO",
    roff('"mementor <command> --help" describes a command, "mementor licenses" prints all licences.'),
  ].join("\n")}\n`;
}

/** Renders the manual page of one command. */
export function renderCommandManual(version: string, command: CommandHelp): string {
  const { name, usage, summary, actions, options, globals, examples } = command;
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`.SH ${title}`, ...lines] : [];
  return `${[
    `.TH ${quoted(`MEMENTOR-${name.toUpperCase()}`)} 1 "" ${quoted(`mementor ${version}`)} "User Commands"`,
    ".SH NAME",
    roff(`mementor-${name}`).concat(" \\- ", roff(summary)),
    ".SH SYNOPSIS",
    `.B mementor ${roff(usage)}`,
    "[options]",
    ...alsoLine(command),
    ...section("ACTIONS", actions.flatMap(actionEntry)),
    ...section("OPTIONS", [...options, ...globals].flatMap(optionEntry)),
    ...section("EXAMPLES", examples.length > 0 ? [".nf", ...examples.map(roff), ".fi"] : []),
    ".SH SEE ALSO",
    roff('"mementor help --man" prints the manual page of the program.'),
  ].join("\n")}\n`;
}

function alsoLine({ aliases }: CommandHelp): string[] {
  return aliases.length > 0 ? [".PP", roff(`Also: ${aliases.join(", ")}.`)] : [];
}

const ENVIRONMENT = [
  ["MEMENTOR_*", 'A setting, its name in capitals: MEMENTOR_BUDGETS_PROMPT=1000. See "mementor config".'],
  ["CLAUDE_CONFIG_DIR", "Where Claude Code keeps its files; ~/.claude otherwise."],
  ["XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME", "Where the user's files are."],
  [
    "MEMENTOR_PATIENCE",
    "How many times as long as usual hooks may take, for a machine that is slow: 1 to 100.",
  ],
  ["NO_COLOR", "Switches colours off."],
] as const;

const EXIT_STATUS = [
  ["0", "Success."],
  ["1", "An error."],
  ["64", "Wrong usage."],
  ["130", "Ctrl-C ended the command."],
] as const;

const FILES = [
  ["~/.config/mementor/config.json", "Settings for all projects."],
  [
    "~/.local/share/mementor/",
    "The memories (elsewhere on macOS and Windows), and the program that hooks start.",
  ],
  ["~/.cache/mementor/", "Libraries and the model, unpacked."],
] as const;

function entry({ usage, aliases, summary, actions, options: all, examples }: CommandHelp): string[] {
  const options = all.filter(({ isFilter }) => !isFilter);
  const also = aliases.length > 0 ? ` Also: ${aliases.join(", ")}.` : "";
  return [
    ".TP",
    `.B mementor ${roff(usage)}`,
    roff(`${summary}.${also}`),
    ...(actions.length > 0 ? [".RS", ...actions.flatMap(actionEntry), ".RE"] : []),
    ...(options.length > 0 ? [".RS", ...options.flatMap(optionEntry), ".RE"] : []),
    ...(examples.length > 0 ? [".RS", ".PP", "Examples:", ".nf", ...examples.map(roff), ".fi", ".RE"] : []),
  ];
}

function actionEntry([shown, summary]: CommandHelp["actions"][number]): string[] {
  return [".TP", `.B ${roff(shown)}`, roff(`${summary}.`)];
}

function optionEntry({ flags, description }: OptionHelp): string[] {
  return [".TP", `.B ${roff(flags)}`, roff(`${description}.`)];
}

/** Escapes text for troff: backslashes, hyphens that are meant as such, and a control character in front. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Quotes an argument of a macro. */
function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', '""')}"`;
}
