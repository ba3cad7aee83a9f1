import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { explainMistake } from "../../text/mistakes.ts";
import {
  type Arguments,
  type ArgumentValues,
  CONFINED_OPTIONS,
  GLOBAL_OPTIONS,
  longName,
  type Options,
  type OptionValues,
  shownArgument,
} from "./option.ts";

/** The section that the help of the program leaves to a help of its own: `mementor help programs`. */
export const FOR_PROGRAMS = "For programs";

/** The sections of the help, in order. */
const HELP_GROUPS = ["Ask", "Teach", "Set up", "Share", FOR_PROGRAMS] as const;

/** The definition of a command. Parsing, help, completions and suggestions are derived from it. */
interface CommandDefinition<A extends Arguments, O extends Options> {
  /** The name of the command and of its file. */
  name: string;
  aliases?: readonly string[];
  /** The section of the help, and the position in it. Without it, help and completions omit the command. */
  help?: { group: (typeof HELP_GROUPS)[number]; position: number };
  /** One line for the list of commands, without a full stop. */
  summary: string;
  arguments: A;
  /** What the first argument can be, with what follows it, and what that does: a line each in help. */
  actions?: readonly (readonly [shown: string, summary: string])[];
  options: O;
  examples: readonly string[];
  /**
   * Tells whether the output is data even without `--json`, and so is printed as it is, whatever the characters and the width of
   * a terminal. Absent: never.
   */
  printsData?: (typed: TypedLine, isTerminal: boolean) => boolean;
  /** True if it reads a team's database, too: then its help names `--db` and `--insecure`. */
  readsTeam?: boolean;
  /**
   * True if it names a team's server in its own words. Then `--insecure` counts without `--db`, and `--project` names a project
   * of the team where there is no such directory.
   */
  usesTeamServer?: boolean;
  /**
   * True if it stays in the memory of the project that it is started in: it takes no global options but `--help` and `--version`,
   * and moves nothing. Agents may run such a command without asking.
   */
  isConfined?: boolean;
  /**
   * Runs the command. Resolves to the exit code: 0 for success, 1 for an error. Modules that take long to load are
   * imported in here.
   */
  run(
    input: { args: ArgumentValues<A>; options: OptionValues<O> },
    runtime: Runtime,
  ): number | Promise<number>;
}

/** A command, whatever its arguments and options are. */
export interface Command extends Omit<CommandDefinition<Arguments, Options>, "run"> {
  /** Validates the command line, then runs the command. Throws `usage` if it is not valid. */
  run(typed: TypedLine, runtime: Runtime): Promise<number>;
}

/** Defines a command. The types of its arguments and options are those of their schemas. */
export function defineCommand<const A extends Arguments, const O extends Options>(
  definition: CommandDefinition<A, O>,
): Command {
  return {
    ...definition,
    run: async (typed, runtime) => definition.run(validate(definition, typed), runtime),
  };
}

/** A parsed command line: the words without dashes, and the options by their names in camel case. */
export interface TypedLine {
  words: readonly string[];
  options: Readonly<Record<string, string | boolean>>;
  /** How options with a value were typed, such as `-k`. */
  flags?: Readonly<Record<string, string>>;
}

/** Validates a command line against its command. Throws `usage` for the first problem. */
function validate<A extends Arguments, O extends Options>(
  { name, arguments: args, options }: Pick<CommandDefinition<A, O>, "name" | "arguments" | "options">,
  { words, options: typed, flags = {} }: TypedLine,
): { args: ArgumentValues<A>; options: OptionValues<O> } {
  const hint = `Run "mementor ${name} --help" for its arguments and options.`;
  const values = each(options, (key, { schema }) =>
    check(schema, typed[key], flags[key] ?? `--${longName(key)}`, hint),
  );
  const rest = [...words];
  const taken = each(args, (_, argument) => {
    const shown = shownArgument({ ...argument, isRequired: true });
    if (argument.isRequired && rest.length === 0)
      throw new MementorError("usage", `${shown} is missing.`, { hint });
    return check(argument.schema, argument.isList ? rest.splice(0) : rest.shift(), shown, hint);
  });
  if (rest.length > 0) throw tooMany(rest, hint);
  // Each value comes from the schema of the same name, but the compiler cannot see that in a loop over names.
  return { args: taken as ArgumentValues<A>, options: values as OptionValues<O> };
}

function each<Item>(items: Readonly<Record<string, Item>>, toValue: (name: string, item: Item) => unknown) {
  return Object.fromEntries(Object.entries(items).map(([name, item]) => [name, toValue(name, item)]));
}

function check(schema: v.GenericSchema, typed: unknown, shown: string, hint: string): unknown {
  const parsed = v.safeParse(schema, typed);
  if (parsed.success) return parsed.output;
  throw new MementorError("usage", `${shown} ${explainMistake(parsed.issues[0], typed)}.`, { hint });
}

function tooMany(rest: readonly string[], hint: string): MementorError {
  const what = rest.length === 1 ? "There is one argument too many" : "There are too many arguments";
  return new MementorError("usage", `${what}: "${rest.join(" ")}".`, { hint });
}

/** Returns the commands that help shows, section by section. */
export function helpSections(commands: readonly Command[]): [title: string, commands: Command[]][] {
  const position = ({ help }: Command) => help?.position ?? 0;
  return HELP_GROUPS.map((group) => [
    group,
    commands.filter(({ help }) => help?.group === group).sort((a, b) => position(a) - position(b)),
  ]);
}

/** Returns the name and the arguments of a command: `search <text...>`. */
export function commandUsage({ name, arguments: args }: Command): string {
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
