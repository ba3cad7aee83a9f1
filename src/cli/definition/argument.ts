import * as v from "valibot";

/** An argument of a command: a word on the command line that is not an option. */
export interface Argument<Schema extends v.GenericSchema = v.GenericSchema> {
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
export function required<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: true, isList: false, schema };
}

/** Makes an optional argument. */
export function optional<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: false, isList: false, schema: v.optional(schema) };
}

/** Makes a last argument that takes any number of words. */
export function list(label: string) {
  return { label, isRequired: false, isList: true, schema: v.array(v.string()) };
}

/** Makes a last argument that joins any number of words, as if they were in quotes. */
export function words(label: string) {
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
