import type { CommandHelp, OptionHelp } from "../render/help.ts";
import { shownArgument } from "./argument.ts";
import { type Command, GROUPS } from "./command.ts";
import { CONFINED_OPTIONS, GLOBAL_OPTIONS } from "./common-options.ts";
import { longName, type Option, type Options } from "./option.ts";

/** Returns the commands that help shows, section by section. */
export function helpSections(commands: readonly Command[]): [title: string, commands: CommandHelp[]][] {
  return GROUPS.map((group) => [
    group,
    commands
      .flatMap((command) =>
        command.help?.group === group ? [{ command, position: command.help.position }] : [],
      )
      .sort((a, b) => a.position - b.position)
      .map(({ command }) => commandHelp(command)),
  ]);
}

/** Returns what help and completions show of a command. */
export function commandHelp(command: Command): CommandHelp {
  const { name, aliases = [], summary, actions = [], options, examples } = command;
  const args = Object.values(command.arguments);
  return {
    name,
    aliases,
    summary,
    actions,
    examples,
    usage: [name, ...args.map(shownArgument)].join(" "),
    options: optionHelp(options),
    globals: optionHelp(command.isConfined ? CONFINED_OPTIONS : GLOBAL_OPTIONS),
  };
}

/** Returns the help rows of options. An option with both `--x` and `--no-x` has two. */
export function optionHelp(options: Options): OptionHelp[] {
  return Object.entries(options).flatMap(([name, option]) => rowsOf(longName(name), option));
}

function rowsOf(name: string, { short, value, description, off, isFilter }: Option): OptionHelp[] {
  const letter = short === undefined ? "" : `-${short}, `;
  const flags = `${letter}--${name}${value === undefined ? "" : ` <${value}>`}`;
  const filter = isFilter && { isFilter };
  return [
    ...(description === null ? [] : [{ flags, description, ...filter }]),
    ...(off === undefined ? [] : [{ flags: `--no-${name}`, description: off }]),
  ];
}
