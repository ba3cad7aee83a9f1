import * as v from "valibot";

/** An option of a command. Its key, in kebab case, is its long name. */
export interface Option<Schema extends v.GenericSchema = v.GenericSchema> {
  /** The letter of the short form: `n` for `-n`. */
  short?: string | undefined;
  /** The name of the value in help: `n` in `--limit <n>`. A flag has none. */
  value?: string | undefined;
  /** What the option does; null when only `--no-x` is useful. */
  description: string | null;
  /** What `--no-x` does; without it there is no `--no-x`. */
  off?: string;
  /** Whether it is a filter, which means the same in every list: only the help of the program describes it. */
  isFilter?: true;
  /**
   * Checks the typed value: a string for an option with a value, else a boolean; undefined when the option is absent.
   */
  schema: Schema;
}

/** Options by their names in camel case. */
export type Options = Readonly<Record<string, Option>>;

/** The values of a command's options. */
export type OptionValues<O extends Options> = {
  readonly [Name in keyof O]: v.InferOutput<O[Name]["schema"]>;
};

/** Makes an option that is off unless given. */
export function flag(description: string, short?: string) {
  return { short, description, schema: v.optional(v.boolean(), false) };
}

/** Makes an option that is on unless `--no-x` is given. */
export function onByDefault(off: string) {
  return { description: null, off, schema: v.optional(v.boolean(), true) };
}

/** Makes an option that `--x` switches on and `--no-x` off; undefined when neither is given. */
export function onOrOff(description: string, off: string) {
  return { description, off, schema: v.optional(v.boolean()) };
}

/** `dryRun` as it is typed: `dry-run`. */
export function longName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
