import { type Command, GROUPS } from "../command-line/command.ts";
import {
  CONFINED_OPTIONS,
  GLOBAL_OPTIONS,
  longName,
  type Options,
  shownArgument,
} from "../command-line/option.ts";

/** Returns the commands that help shows, section by section. */
export function helpSections(commands: readonly Command[]): [title: string, commands: Command[]][] {
  const position = ({ help }: Command) => help?.position ?? 0;
  return GROUPS.map((group) => [
    group,
    commands.filter(({ help }) => help?.group === group).sort((a, b) => position(a) - position(b)),
  ]);
}

/** Returns the name and the arguments of a command: `search <text...>`. */
export function usageOf({ name, arguments: args }: Command): string {
  return [name, ...Object.values(args).map(shownArgument)].join(" ");
}

/** Returns the options of every command that the help of this one names: those for a team's database where it reads one. */
export function globalsOf({ isConfined, readsTeam, usesTeamServer }: Command): Options {
  if (isConfined) return CONFINED_OPTIONS;
  const { project, db, insecure, ...rest } = GLOBAL_OPTIONS;
  return {
    project,
    ...(readsTeam && { db }),
    ...((readsTeam || usesTeamServer) && { insecure }),
    ...rest,
  };
}

/** Returns how options are typed, and what they do: `-k, --limit <n>`. One with both `--x` and `--no-x` has two rows. */
export function optionRows(options: Options): [flags: string, description: string][] {
  return Object.entries(options).flatMap(([name, { short, value, description, off }]) => {
    const letter = short === undefined ? "" : `-${short}, `;
    const flags = `${letter}--${longName(name)}${value === undefined ? "" : ` <${value}>`}`;
    return [
      ...(description === null ? [] : [[flags, description] as [string, string]]),
      ...(off === undefined ? [] : [[`--no-${longName(name)}`, off] as [string, string]]),
    ];
  });
}
