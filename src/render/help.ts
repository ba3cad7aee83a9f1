import type { Style } from "./style.ts";
import { renderColumns } from "./table.ts";

/** What help needs to know of a command; `commands/` has the table. */
export interface CommandHelp {
  name: string;
  aliases?: readonly string[];
  args: string;
  /** What the argument can be, where that is known. */
  argValues?: readonly string[];
  summary: string;
  options: readonly { flags: string; description: string; values?: readonly string[] }[];
  examples: readonly string[];
  hidden?: boolean;
}

type Options = CommandHelp["options"];

/** How commands are grouped in the help; those that no group names come under "More". */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Ask", ["search", "recent", "related", "sessions", "turns", "show", "files", "commits", "prs", "stats"]],
  ["Set up", ["enable", "disable", "status", "doctor", "config", "log"]],
  ["Look after", ["ingest", "forget", "prune", "export", "import", "model", "backup", "restore", "gc"]],
];

/** Renders the help of the whole program. */
export function renderHelp(commands: readonly CommandHelp[], globals: Options, style: Style): string {
  const visible = commands.filter(({ hidden }) => !hidden);
  const width = Math.max(...visible.map((command) => usage(command).length));
  const section = (title: string, members: readonly CommandHelp[]) =>
    members.length === 0
      ? ""
      : `${style.bold(title)}\n${members.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}\n`).join("")}\n`;
  const named = GROUPS.map(([title, names]) =>
    section(
      title,
      names.flatMap((name) => visible.find((command) => command.name === name) ?? []),
    ),
  );
  const grouped = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = section(
    "More",
    visible.filter(({ name }) => !grouped.has(name)),
  );
  return `mementor: a local memory for Claude Code. It remembers what was said, decided and done in earlier sessions.

${style.bold("Start with")}
  mementor enable                     once, in a project
  mementor search "why did we ..."    to ask what was said before

${named.join("")}${rest}${style.bold("Options")}
${indented(optionRows(globals))}
"mementor <command> --help" tells more about a command, with examples.
`;
}

/** Renders the help of one command. */
export function renderCommandHelp(command: CommandHelp, globals: Options, style: Style): string {
  const aliases = command.aliases?.length ? `${style.dim(`Also: ${command.aliases.join(", ")}`)}\n` : "";
  const rows = optionRows([...command.options, ...globals]);
  const examples = command.examples.map((example) => `  ${example}\n`).join("");
  return `${command.summary}.

${style.bold("Usage")}
  mementor ${usage(command)} [options]
${aliases}
${style.bold("Options")}
${indented(rows)}
${style.bold("Examples")}
${examples}`;
}

function usage({ name, args }: CommandHelp): string {
  return `${name} ${args}`.trim();
}

/** Long names stand below each other, whether there is a short one or not. */
function optionRows(options: Options): string[][] {
  return options.map(({ flags, description }) => [
    flags.startsWith("--") ? `    ${flags}` : flags,
    description,
  ]);
}

function indented(rows: readonly (readonly string[])[]): string {
  return renderColumns(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}
