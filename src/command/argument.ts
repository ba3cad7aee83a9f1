import * as v from "valibot";

/** An argument of a command: what stands on the command line without dashes. */
export interface Argument<Schema extends v.GenericSchema = v.GenericSchema> {
  /** What help calls it: `path` in `[path]`. */
  label: string;
  isRequired: boolean;
  /** Takes everything from here on, as a list. Only the last argument can. */
  isList: boolean;
  /** Checks what was typed: a string, a list, or undefined. */
  schema: Schema;
}

/** Arguments by their names, in the order of the command line. */
export type Arguments = Readonly<Record<string, Argument>>;

/** What a command's work gets of its arguments. */
export type ArgumentValues<A extends Arguments> = {
  readonly [Name in keyof A]: v.InferOutput<A[Name]["schema"]>;
};

/** Makes an argument that must be given. */
export function required<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: true, isList: false, schema };
}

/** Makes an argument that may be left out. */
export function optional<Schema extends v.GenericSchema>(label: string, schema: Schema) {
  return { label, isRequired: false, isList: false, schema: v.optional(schema) };
}

/** Makes a last argument of any number of words. */
export function list(label: string) {
  return { label, isRequired: false, isList: true, schema: v.array(v.string()) };
}

/** Makes a last argument of words that are read as one text, as if in quotes. */
export function words(label: string) {
  const schema = v.pipe(
    v.array(v.string()),
    v.transform((typed) => typed.join(" ").trim()),
    v.nonEmpty("must not be empty"),
  );
  return { label, isRequired: true, isList: true, schema };
}

/** How help shows an argument: `<text...>`, `[path]`. */
export function shownArgument({ label, isRequired, isList }: Argument): string {
  const text = `${label}${isList ? "..." : ""}`;
  return isRequired ? `<${text}>` : `[${text}]`;
}
