import { dirname } from "node:path";
import * as v from "valibot";
import { settingFromText, settingSchema } from "../config/config.ts";
import { ALL_SETTINGS, type NamedSetting } from "../config/settings.ts";
import { MementorError } from "../errors.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../io/write.ts";
import { closestWord, explainMistake } from "../text/mistakes.ts";
import {
  appendChild,
  invalid,
  isBare,
  parseJson,
  removeChild,
  replaceValue,
  valueAt,
} from "./settings/json-edit.ts";

/** The content of a file that does not exist yet. */
const EMPTY_CONFIG = "{\n}\n";

/** Returns the setting with this key. Throws `usage` with the most similar key if there is none. */
export function findSetting(key: string): NamedSetting {
  const leaf = ALL_SETTINGS.find((each) => each.key === key);
  if (leaf) return leaf;
  const inGroup = ALL_SETTINGS.filter((each) => each.key.startsWith(`${key}.`)).map((each) => each.key);
  const lower = new Map(ALL_SETTINGS.map((each) => [each.key.toLowerCase(), each.key]));
  const near = lower.get(closestWord(key, [...lower.keys()]) ?? "");
  throw new MementorError("usage", `There is no setting ${JSON.stringify(key)}.`, {
    hint:
      inGroup.length > 0
        ? `Did you mean one of ${inGroup.join(", ")}?`
        : near === undefined
          ? 'Run "mementor config" to list all settings.'
          : `Did you mean ${near}? Run "mementor config" to list all settings.`,
  });
}

/** Parses a typed value: one word, or the items of a list. Throws `usage` for a value that the setting does not allow. */
export function typedValue(leaf: NamedSetting, words: readonly string[]): unknown {
  const isList = Array.isArray(leaf.fallback);
  if (words.length === 0 || (!isList && words.length > 1))
    throw new MementorError("usage", `${leaf.key} takes ${isList ? "one or more values" : "one value"}.`, {
      hint: `For example: mementor config set ${leaf.key} ${leaf.example === undefined ? leaf.fallback : JSON.stringify(leaf.example)}`,
    });
  const given = isList ? itemsOf(words) : (settingFromText(leaf, words[0]) ?? "");
  const checked = v.safeParse(settingSchema(leaf), given);
  if (checked.success) return checked.output;
  throw new MementorError("usage", `${leaf.key} ${explainMistake(checked.issues[0], given)}.`, {
    hint: "Nothing was changed.",
  });
}

/** Returns the items of a list: the words, or the items of a single word that is a JSON array, as in settings files. */
function itemsOf(words: readonly string[]): unknown[] {
  const [only = ""] = words;
  if (words.length > 1 || !only.startsWith("[")) return [...words];
  try {
    const items: unknown = JSON.parse(only);
    return Array.isArray(items) ? items : [only];
  } catch {
    return [only];
  }
}

/**
 * Changes a setting in a file, and creates a missing file. Keeps comments and order. Returns whether the file changed.
 *
 * @throws `settings_invalid` when the file or the group of the setting is no JSON object.
 */
export function writeSetting(
  file: string,
  { path: [group = "", name = ""] }: NamedSetting,
  value: unknown,
): boolean {
  const before = readConfigText(file);
  const text = before ?? EMPTY_CONFIG;
  const root = parseJson(text, file);
  const parent = valueAt(root, group);
  if (parent !== undefined && parent.type !== "object")
    throw invalid(file, `"${group}" is not a JSON object`);
  const known = valueAt(parent, name);
  const after =
    known !== undefined
      ? replaceValue(text, known, value)
      : parent === undefined
        ? appendChild(text, root, group, { [name]: value })
        : appendChild(text, parent, name, value);
  if (after !== before) writeConfig(file, after);
  return after !== before;
}

/** Removes a setting from a file, and its group if it becomes empty. Returns false if the file lacks the setting. */
export function removeSetting(file: string, { path: [group = "", name = ""] }: NamedSetting): boolean {
  const text = readConfigText(file);
  if (text === null) return false;
  const property = valueAt(valueAt(parseJson(text, file), group), name)?.parent;
  if (property === undefined) return false;
  const left = removeChild(text, property);
  const parent = valueAt(parseJson(left, file), group);
  const isEmpty = parent?.parent !== undefined && isBare(left, parent);
  writeConfig(file, isEmpty ? removeChild(left, parent.parent) : left);
  return true;
}

/** Writes a settings file atomically. Only the owner may read a new one. */
function writeConfig(file: string, text: string): void {
  ensurePrivateDir(dirname(file));
  writeAtomic(file, text, { mode: 0o600 });
}

/**
 * Returns the text of a settings file; null if it is missing.
 *
 * @throws `settings_invalid` for anything but a regular file.
 */
function readConfigText(file: string): string | null {
  if (statIfExists(file)?.isFile() === false) throw invalid(file, "it is not a regular file");
  const text = readIfExists(file)?.replace(/^\ufeff/, "") ?? null;
  return text !== null && text.trim() === "" ? EMPTY_CONFIG : text;
}
