import type { CommandHelp, OptionHelp } from "../help.ts";

export type Options = readonly OptionHelp[];

/** An option as shells complete it. */
export interface Flag {
  short: string | null;
  long: string;
  takesValue: boolean;
  /** Whether the value is the path of a file or a directory. */
  takesFile: boolean;
  values: readonly string[];
  description: string;
}

/** An argument or a value that is a path, by its name. */
const FILE = /[<[|](?:file|path|dir|folder)s?\b/;

export function flagsOf(options: Options): Flag[] {
  return options.map(({ flags, description, values }) => {
    const long = /--([\w-]+)/.exec(flags)?.[1] ?? "";
    return {
      short: /^-(\w)/.exec(flags)?.[1] ?? null,
      long,
      takesValue: flags.includes("<"),
      takesFile: FILE.test(flags),
      values,
      description,
    };
  });
}

/** Whether the first argument can be a path as well as one of the actions. */
export const takesPath = ({ actions }: CommandHelp) => actions.some(([shown]) => shown.startsWith("<"));

/** Whether any argument can be a path. */
export const takesFiles = ({ usage, takesFiles = FILE.test(usage) }: CommandHelp) => takesFiles;

export const namesOf = ({ name, aliases }: CommandHelp) => [name, ...aliases];

/** The names of the options that take a value, as a pattern of a shell's case. */
export function withValue(flags: readonly Flag[]): string {
  return flags
    .filter(({ takesValue }) => takesValue)
    .flatMap(({ short, long }) => [...(short === null ? [] : [`-${short}`]), `--${long}`])
    .join("|");
}
