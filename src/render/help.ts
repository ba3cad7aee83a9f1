/** What help needs to know of a command; `commands/` has the table. */
export interface CommandHelp {
  name: string;
  aliases?: readonly string[];
  args: string;
  summary: string;
  options: readonly { flags: string; description: string }[];
  examples: readonly string[];
  hidden?: boolean;
}

type Options = CommandHelp["options"];

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function optionRows(options: Options): [string, string][] {
  return options.map(({ flags, description }) => [flags, description]);
}

/** Renders the help of the whole program. */
export function renderHelp(commands: readonly CommandHelp[], globals: Options): string {
  const visible = commands.filter(({ hidden }) => !hidden);
  const rows = visible.map(({ name, args, summary }): [string, string] => [
    `${name} ${args}`.trim(),
    summary,
  ]);
  return `A local memory for Claude Code.

Usage: mementor <command> [options]

Commands:
${columns(rows)}
Options:
${columns(optionRows(globals))}
Start with:
  mementor enable                      in a project, once
  mementor search "why did we ..."     to ask what was said before

"mementor <command> --help" tells more about a command.
`;
}

/** Renders the help of one command. */
export function renderCommandHelp(command: CommandHelp, globals: Options): string {
  const aliases = command.aliases?.length ? `\nAlso: ${command.aliases.join(", ")}\n` : "";
  const examples = command.examples.map((example) => `  ${example}\n`).join("");
  return `${command.summary}

Usage: mementor ${`${command.name} ${command.args}`.trim()} [options]
${aliases}
Options:
${columns(optionRows([...command.options, ...globals]))}
Examples:
${examples}`;
}
