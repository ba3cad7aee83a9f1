import { FIELDS, type FilterName } from "../filter/fields.ts";
import { filtersBut } from "../filter/filter.ts";
import type { OptionSpec } from "./command.ts";

/** The options of all filters but these. */
export function filterOptions(...left: FilterName[]): OptionSpec[] {
  return filtersBut(...left).map((name) => {
    const { value, values, description } = FIELDS[name];
    return {
      flags: value === null ? `--${name}` : `--${name} <${value}>`,
      description,
      ...(values !== undefined && { values }),
    };
  });
}
