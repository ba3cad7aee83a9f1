import type { CommandHelp, OptionHelp } from "../help.ts";
import type { Lookup } from "./lookup.ts";

export type Options = readonly OptionHelp[];

/** What kind of path a word is. */
export type PathKind = "file" | "directory";

/** An option as shells complete it. */
export interface Flag {
  short: string | null;
  long: string;
  takesValue: boolean;
  /** What kind of path the value is; null where it is none. */
  path: PathKind | null;
  values: readonly string[];
  /** What the value is of the memory; empty where it is none. */
  lookups: readonly Lookup[];
  description: string;
}

/** An argument or a value that is a path, by its name. */
const DIRECTORY = /[<[|](?:dir|folder)s?\b/;
const FILE = /[<[|](?:file|path)s?\b/;

function pathKind(shown: string): PathKind | null {
  return FILE.test(shown) ? "file" : DIRECTORY.test(shown) ? "directory" : null;
}

export function flagsOf(options: Options): Flag[] {
  return options.map(({ flags, description, values, lookups = [] }) => ({
    short: /^-(\w)/.exec(flags)?.[1] ?? null,
    long: /--([\w-]+)/.exec(flags)?.[1] ?? "",
    takesValue: flags.includes("<"),
    path: pathKind(flags),
    values,
    lookups,
    description,
  }));
}

/** What kind of path an argument can be; null where none can. */
export const pathOf = ({ usage, path }: CommandHelp): PathKind | null => path ?? pathKind(usage);

export const namesOf = ({ name, aliases }: CommandHelp) => [name, ...aliases];

/** The words of an option. */
export const spellings = ({ short, long }: Flag) => [...(short === null ? [] : [`-${short}`]), `--${long}`];

/** The names of the options that take a value, as a pattern of a shell's case. */
export function withValue(flags: readonly Flag[]): string {
  return flags
    .filter(({ takesValue }) => takesValue)
    .flatMap(spellings)
    .join("|");
}

/** The options behind which the next word is their value, whatever the command: so a shell tells arguments from values. */
export function alwaysWithValue(commands: readonly CommandHelp[], globals: Options): string[] {
  const all = [globals, ...commands.map(({ options }) => options)].flatMap(flagsOf);
  const alone = new Set(all.filter(({ takesValue }) => !takesValue).flatMap(spellings));
  const valued = all.filter(({ takesValue }) => takesValue).flatMap(spellings);
  return [...new Set(valued)].filter((flag) => !alone.has(flag));
}

/** What may stand behind the words of a command that are typed already. */
export interface Next {
  /** The command with its arguments, such as `config set search.gate`; one for each of the command's names. */
  typed: string[];
  words: readonly string[];
  /** What some of the words mean. */
  meanings: Readonly<Record<string, string>>;
  lookups: readonly Lookup[];
}

/** What the arguments of a command can be, by what is typed before them. */
export function nextOf(command: CommandHelp): Next[] {
  const { argValues, nextValues = {}, lookups = {}, actions } = command;
  const meanings = {
    ...Object.fromEntries(actions.map(([shown, summary]) => [shown.split(" ")[0], summary])),
    ...command.meanings,
  };
  const before = new Set(["", ...Object.keys(nextValues), ...Object.keys(lookups)]);
  return [...before].map((words) => ({
    typed: namesOf(command).map((name) => `${name} ${words}`.trim()),
    words: words === "" ? argValues : (nextValues[words] ?? []),
    meanings,
    lookups: lookups[words] ?? [],
  }));
}
