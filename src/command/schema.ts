import * as v from "valibot";

/** A whole number of at least `min`, from the string that was typed. */
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

/** One of a few words. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);
}

/** A name that people read, spaces around it taken off. */
export function label(maxLength = 80) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  );
}

/** Returns the words that a schema allows; none where it allows others too. */
export function choicesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("wrapped" in schema) return choicesOf(schema.wrapped);
  return "options" in schema && Array.isArray(schema.options) ? schema.options.map(String) : [];
}

/** `1000` as `1,000`. Not by `Intl`, which every start would wait for. */
function grouped(value: number): string {
  return `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ",");
}
