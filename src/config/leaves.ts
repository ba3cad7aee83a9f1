import * as v from "valibot";
import { variableOf } from "./defaults.ts";
import { ConfigSchema } from "./schema.ts";

type LeafSchema = v.GenericSchema<unknown>;

/** One setting: `key` is its dotted path, `variable` the environment variable that overrides it. */
export interface Leaf {
  key: string;
  path: readonly string[];
  variable: string;
  schema: LeafSchema;
  fallback: unknown;
}

/** Every setting, in the schema's order. */
export const LEAVES: readonly Leaf[] = leavesOf(ConfigSchema, v.getDefaults(ConfigSchema), []);

function leavesOf(schema: unknown, fallback: unknown, path: readonly string[]): Leaf[] {
  const entries = member(schema, "entries");
  if (isRecord(entries))
    return Object.entries(entries).flatMap(([name, inner]) =>
      leavesOf(inner, member(fallback, name), [...path, name]),
    );
  const variable = variableOf(path);
  return isSchema(schema) ? [{ key: path.join("."), path, variable, schema, fallback }] : [];
}

function isSchema(value: unknown): value is LeafSchema {
  return isRecord(value) && value.kind === "schema";
}

/** Narrows to a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value of an object's member; undefined when it has none of that name. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the words that a setting may be; empty where it may be more than a few words. */
export function settingValues({ schema }: Leaf): string[] {
  return valuesOf(schema);
}

function valuesOf(schema: unknown): string[] {
  if (member(schema, "type") === "boolean") return ["true", "false"];
  const options = member(schema, "options");
  if (Array.isArray(options) && options.every((option) => typeof option === "string")) return options;
  const wrapped = member(schema, "wrapped");
  return wrapped === undefined ? [] : valuesOf(wrapped);
}
