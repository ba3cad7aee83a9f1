import * as v from "valibot";

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

/** Makes a schema for one of these words. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

/** Makes a schema for a name. Removes spaces around it. */
export function label(maxLength = 80) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  );
}

/** Returns the words that a schema allows. Empty when it allows others too. */
export function choicesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("wrapped" in schema) return choicesOf(schema.wrapped);
  const options: unknown = "options" in schema ? schema.options : [];
  const isWords = Array.isArray(options) && options.every((option) => typeof option === "string");
  // The options of a union are schemas: what they allow is more than some words.
  return isWords ? options : [];
}

/** Formats `1000` as `1,000`. Without `Intl`, which takes time to load. */
function grouped(value: number): string {
  return `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ",");
}
