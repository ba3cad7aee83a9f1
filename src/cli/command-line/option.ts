import * as v from "valibot";
import type { Runtime } from "../../runtime.ts";
import {
  authorOrOwn,
  FIELDS,
  type Filter,
  type FilterName,
  filtersBut,
  type TypedFilter,
} from "../../store/filter.ts";
import type { BrowseStore } from "../../store/store.ts";
import { parseBytes } from "../../text/numbers.ts";

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
  /** True if it is a filter, which means the same in every list: only the help of the program describes it. */
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

interface Valued<Schema extends v.GenericSchema> {
  short: string | undefined;
  value: string;
  description: string;
  schema: v.OptionalSchema<Schema, undefined>;
}

/** Makes an option with a value, a text unless a schema says otherwise; undefined when it is absent. */
export function valued(value: string, description: string): Valued<v.StringSchema<undefined>>;
export function valued<Schema extends v.GenericSchema>(
  value: string,
  description: string,
  schema: Schema,
  short?: string,
): Valued<Schema>;
export function valued(
  value: string,
  description: string,
  schema: v.GenericSchema = v.string(),
  short?: string,
) {
  return { short, value, description, schema: v.optional(schema) };
}

/** `dryRun` as it is typed: `dry-run`. */
export function longName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An argument of a command: a word on the command line that is not an option. */
interface Argument<Schema extends v.GenericSchema = v.GenericSchema> {
  /** Its name in help: `path` in `[path]`. */
  label: string;
  isRequired: boolean;
  /** Takes all remaining words, as a list. Only the last argument can. */
  isList: boolean;
  /** Checks the typed value: a string, a list, or undefined. */
  schema: Schema;
}

/** Arguments by their names, in the order of the command line. */
export type Arguments = Readonly<Record<string, Argument>>;

/** The values of a command's arguments. */
export type ArgumentValues<A extends Arguments> = {
  readonly [Name in keyof A]: v.InferOutput<A[Name]["schema"]>;
};

/** Makes a required argument. */
export function requiredArgument<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: true, isList: false, schema };
}

/** Makes an optional argument. */
export function optional<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: false, isList: false, schema: v.optional(schema) };
}

/** Makes a last argument that takes any number of words. */
export function listArgument(label: string) {
  return { label, isRequired: false, isList: true, schema: v.array(v.string()) };
}

/** Makes a last argument that joins any number of words, as if they were in quotes. */
export function wordsArgument(label: string) {
  const schema = v.pipe(
    v.array(v.string()),
    v.transform((typed) => typed.join(" ").trim()),
    v.nonEmpty("must not be empty"),
  );
  return { label, isRequired: true, isList: true, schema };
}

/** Returns an argument as help shows it: `<text...>`, `[path]`. */
export function shownArgument({ label, isRequired, isList }: Argument): string {
  const text = `${label}${isList ? "..." : ""}`;
  return isRequired ? `<${text}>` : `[${text}]`;
}

/** Makes a schema for a whole number of at least `min`, typed as a string. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const upTo = max === Number.MAX_SAFE_INTEGER ? " on" : ` to ${grouped(max)}`;
  const message = `must be a whole number from ${grouped(min)}${upTo}`;
  return v.pipe(
    v.string(message),
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** A text that is not empty, without the spaces around it. */
export const nameSchema = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));

/** A number of bytes, typed as a size. */
export const sizeSchema = v.pipe(
  v.string(),
  v.transform(parseBytes),
  v.custom<number>((bytes) => typeof bytes === "number" && bytes > 0, "must be a size: 500MB, 2GB"),
);

/** Makes a schema for one of these words. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

/** Makes a schema for a name. Removes spaces around it. */
export function labelSchema(maxLength = 80) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  );
}

/** Returns the words that a schema allows. Empty when it allows others too. */
export function schemaChoices(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("wrapped" in schema) return schemaChoices(schema.wrapped);
  const options: unknown = "options" in schema ? schema.options : [];
  const isWords = Array.isArray(options) && options.every((option) => typeof option === "string");
  // The options of a union are schemas: what they allow is more than some words.
  return isWords ? options : [];
}

/** Formats `1000` as `1,000`. Without `Intl`, which takes time to load. */
function grouped(value: number): string {
  return `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Default number of rows of a list: about a screen. */
export const LIST_ROWS = 20;

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  project: valued("dir", "Use the project of this directory instead of the current one", v.string(), "C"),
  db: valued("file|url", "Use this database: a file, or postgres://user@host/name to read a team's"),
  insecure: flag("With a team's server: accept one without TLS, or whose certificate cannot be verified"),
  help: flag("Show help", "h"),
  version: flag("Show the version", "v"),
};

/** The options of a command that stays in its project. */
export const CONFINED_OPTIONS = { help: GLOBAL_OPTIONS.help, version: GLOBAL_OPTIONS.version };

export const jsonOption = flag("Print JSON");

/** The option that makes a list or search read the memories of all projects. */
export const allProjectsOption = flag("Read the memories of all your projects, not only of this one");

/** Options that every command accepts, for scripts; only the help of commands that heed them shows them. */
export const ACCEPTED_OPTIONS = { pager: onByDefault("Do not use a pager") };

/** Options of a command line without a command: `mementor --version --json`, `mementor help search --man`. */
export const PROGRAM_OPTIONS = {
  json: flag("With --version: print the versions of all parts as JSON"),
  man: flag('With "help": print the manual page'),
  ...ACCEPTED_OPTIONS,
};

/** Options of commands that show what the memory holds. */
export const viewOptions = { json: jsonOption, ...ACCEPTED_OPTIONS };

/** How many rows a list shows. */
export const rows = {
  short: "n",
  value: "n",
  description: `Maximum number of rows (default: ${LIST_ROWS})`,
  schema: v.optional(wholeNumber(1, 1_000_000), `${LIST_ROWS}`),
};

/** Whose turns a command removes. */
export const authorOption = {
  value: "name",
  description: "Turns of this team member instead of your own; all for everybody's",
  schema: v.optional(nameSchema),
};

/** Options of commands that remove something. */
export const consentOptions = {
  dryRun: flag("Show what would be removed, and remove nothing"),
  yes: flag("Do not ask", "y"),
  json: jsonOption,
};

type FilterOptions<Name extends FilterName> = {
  [N in Name]: Option<v.GenericSchema<unknown, TypedFilter[N]>>;
};

/** Returns the options of all filters except the named ones. */
export function filterOptions<Left extends FilterName = never>(...left: readonly Left[]) {
  const options = filtersBut(...left).map((name) => {
    const { value, description, schema } = FIELDS[name];
    return [name, { value: value ?? undefined, description, schema, isFilter: true }];
  });
  return Object.fromEntries(options) as FilterOptions<Exclude<FilterName, Left>>;
}

/** Reads the filters among a command's options. Rejects with `not_found` for what the memory does not know. */
export async function filterOf(
  options: TypedFilter,
  { host }: Runtime,
  browse: BrowseStore,
): Promise<Filter> {
  const { readFilterFor } = await import("../../recall/read-filter.ts");
  const { requireKnown } = await import("../../recall/unknown.ts");
  const filter = await readFilterFor(options, { browse, cwd: host.cwd, now: host.now() });
  await requireKnown(filter, options, browse);
  return filter;
}

/** Like `filterOf`, for what counts one's own work: turns of others only where their author, or `all`, was given. */
export async function readOwnTurnsFilter(
  options: TypedFilter,
  runtime: Runtime,
  browse: BrowseStore,
): Promise<Filter> {
  return { ...(await filterOf(options, runtime, browse)), ...authorOrOwn(options.author) };
}

/** Tells whether a filter has only a time range. Recalls belong to no branch, file or subagent. */
export function hasOnlyTimeRange({
  since: _since,
  until: _until,
  others: _others,
  ...rest
}: Filter): boolean {
  return Object.keys(rest).length === 0;
}
