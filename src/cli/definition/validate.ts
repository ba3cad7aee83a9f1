import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { complaintOf } from "../../text/complaint.ts";
import {
  type Arguments,
  type ArgumentValues,
  longName,
  type Options,
  type OptionValues,
  shownArgument,
} from "./option.ts";

/** A parsed command line: the words without dashes, and the options by their names in camel case. */
export interface Typed {
  words: readonly string[];
  options: Readonly<Record<string, string | boolean>>;
  /** How options with a value were typed, such as `-k`. */
  flags?: Readonly<Record<string, string>>;
}

interface Definition<A, O> {
  name: string;
  arguments: A;
  options: O;
}

/** Validates a command line against its command. Throws `usage` for the first problem. */
export function validate<A extends Arguments, O extends Options>(
  { name, arguments: args, options }: Definition<A, O>,
  { words, options: typed, flags = {} }: Typed,
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
  throw new MementorError("usage", `${shown} ${complaintOf(parsed.issues[0], typed)}.`, { hint });
}

function tooMany(rest: readonly string[], hint: string): MementorError {
  const what = rest.length === 1 ? "There is one argument too many" : "There are too many arguments";
  return new MementorError("usage", `${what}: "${rest.join(" ")}".`, { hint });
}
