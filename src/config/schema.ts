import * as v from "valibot";
import type { Setting } from "./settings.ts";

type Check = (must: string, setting: Setting) => v.GenericSchema<unknown, unknown>;

/** How a value of each kind is checked; `must` says what it must be. */
const CHECKS: Readonly<Record<Setting["kind"], Check>> = {
  flag: (must) => v.boolean(must),
  whole: (must, { range: { min, max } = { min: 0, max: 0 } }) =>
    v.pipe(v.number(must), v.integer(must), v.minValue(min, must), v.maxValue(max, must)),
  word: (must, { words = [] }) => v.picklist(words, must),
  text: (must) => v.pipe(v.string(must), v.nonEmpty(must)),
  list: (must) => v.array(v.pipe(v.string(must), v.nonEmpty(must)), must),
  // Also a list as one text, with commas.
  members: (must) =>
    v.pipe(
      v.union([v.string(), v.array(v.pipe(v.string(must), v.trim(), v.nonEmpty(must)), must)], must),
      v.transform((given) =>
        typeof given === "string" ? given.split(",").map((name) => name.trim()) : given,
      ),
      v.check((names) => names.every((name) => name !== ""), must),
      v.transform((names) => (names.includes("all") ? "all" : names.filter((name) => name !== "none"))),
    ),
};

/** Returns the schema that checks a value of a setting. Its messages say what the value must be. */
export function schemaOf(setting: Setting): v.GenericSchema<unknown, unknown> {
  return CHECKS[setting.kind](`must be ${setting.allowed}`, setting);
}
