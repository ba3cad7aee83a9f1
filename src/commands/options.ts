import * as v from "valibot";
import { MementorError } from "../errors.ts";
import type { CommandInput } from "./command.ts";

/** A whole number of at least `least`, from the string that was typed. */
export function wholeNumber(least: number, most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, "is not a whole number"),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );
}

export const Flag = v.optional(v.boolean(), false);

/** Checks a command's options once; throws `usage` with the option's name and what is wrong with it. */
export function parseOptions<Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  options: CommandInput["options"],
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, options);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = String(issue.path?.[0]?.key ?? "option");
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new MementorError("usage", `${flag}: ${issue.message}`, {
    hint: 'Run the command with "--help" to see what it takes.',
  });
}
