import { type ParseError, parse } from "jsonc-parser";
import * as v from "valibot";
import { toMementorError } from "../errors.ts";
import { readUntrusted, statIfExists } from "../io/read.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import { jsonMistake } from "../text/json-mistakes.ts";
import { explainMistake } from "../text/mistakes.ts";
import { ALL_SETTINGS, buildConfig, type Config, type NamedSetting, type Setting } from "./settings.ts";

/** An ignored setting with the reason. `where` is a file or a variable; `key` is empty for a whole file. */
export interface ConfigProblem {
  where: string;
  key: string;
  message: string;
}

export interface LoadedConfig {
  config: Config;
  /** The source of each value by dotted key: a file, a variable, or `default`. */
  origins: Record<string, string>;
  problems: ConfigProblem[];
}

export interface ConfigSources {
  /** The user's file, `~/.config/mementor/config.json`. */
  userFile?: string | null;
  /** The project's file, in the user's data directory beside the project's memory. */
  projectFile?: string | null;
  /** The repository's file, `.mementor/config.json`. Anyone who can push may have written it, so it only adds exclusions. */
  treeFile?: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** A setting with its effective value. */
export interface ConfigEntry {
  key: string;
  value: unknown;
  /** Source of the value: a file, a variable, or `default`. */
  origin: string;
  variable: string;
  meaning: string;
  /** The allowed values in words: `true or false`. */
  allowed: string;
  default: unknown;
}

interface Layer {
  /** True if it only takes back what the user's files allow to be told. */
  onlyTellsLess?: boolean;
  where(leaf: NamedSetting): string;
  valueOf(leaf: NamedSetting): unknown;
}

/**
 * Loads the effective configuration: the defaults, then the user's file, the project's file and the `MEMENTOR_*` variables. Later
 * values win, but no variable lets hooks speak where a file forbids it. Then adds the exclusions from variables and from the
 * repository's file, since a repository can set variables, too. Files are JSON with comments.
 *
 * Reports an invalid value, an unknown key or a file that does not parse in `problems`, and keeps the earlier value. Never
 * throws.
 */
export function loadConfig({ userFile, projectFile, treeFile, env }: ConfigSources): LoadedConfig {
  const problems: ConfigProblem[] = [];
  const files = [userFile, projectFile]
    .filter((file) => file != null)
    .map((file) => fileLayer(file, problems));
  const variables = environmentLayer(env, problems);
  const tree = treeFile == null ? [] : [treeLayer(treeFile, problems)];
  const origins: Record<string, string> = {};
  const config = buildConfig((leaf) => {
    const resolved = EXCLUSIONS.includes(leaf.key)
      ? addedUp([files, [variables], tree].map((layers) => resolveLeaf(leaf, layers, problems)))
      : resolveLeaf(leaf, [...files, variables], problems);
    origins[leaf.key] = resolved.origin;
    return resolved.value;
  });
  return { config, origins, problems };
}

/** Settings that a repository may make in a file or a variable. They can only make the memory store and recall less. */
const EXCLUSIONS = ["exclude.paths", "exclude.projects"];

/** Concatenates several lists. The last list that is set gives the origin. */
function addedUp(lists: readonly Resolved[]): Resolved {
  const origin = lists.findLast((each) => each.origin !== DEFAULT)?.origin ?? DEFAULT;
  return { value: lists.flatMap(({ value }) => value), origin };
}

/** Reads the repository's file. Reports settings that it may not make as problems. */
function treeLayer(file: string, problems: ConfigProblem[]): Layer {
  const layer = fileLayer(file, problems, UNTRUSTED.treeSettingsBytes);
  for (const leaf of ALL_SETTINGS)
    if (!EXCLUSIONS.includes(leaf.key) && layer.valueOf(leaf) !== undefined)
      problems.push({ where: file, key: leaf.key, message: 'this file can only set "exclude"' });
  return layer;
}

/** Lists every setting with its effective value and origin, in the order of the table. */
export function configEntries(loaded: LoadedConfig): ConfigEntry[] {
  return ALL_SETTINGS.map((leaf) => ({
    key: leaf.key,
    value: leaf.path.reduce<unknown>(member, loaded.config),
    origin: loaded.origins[leaf.key] ?? "default",
    variable: leaf.variable,
    meaning: leaf.meaning,
    allowed: leaf.allowed,
    default: leaf.fallback,
  }));
}

/** A value and its source. */
interface Resolved {
  value: unknown;
  origin: string;
}

const DEFAULT = "default";

function resolveLeaf(leaf: NamedSetting, layers: readonly Layer[], problems: ConfigProblem[]): Resolved {
  let resolved: Resolved = { value: leaf.fallback, origin: DEFAULT };
  for (const layer of layers) {
    const given = layer.valueOf(leaf);
    if (given === undefined) continue;
    const checked = v.safeParse(settingSchema(leaf), given);
    const where = layer.where(leaf);
    const isOwn = resolved.origin !== DEFAULT;
    if (checked.success && layer.onlyTellsLess && isOwn && tellsMore(leaf, checked.output, resolved.value))
      problems.push({
        where,
        key: leaf.key,
        message: `your own file sets ${resolved.value}, which tells less and counts`,
      });
    else if (checked.success) resolved = { value: checked.output, origin: where };
    else problems.push({ where, key: leaf.key, message: explainMistake(checked.issues[0], given) });
  }
  return resolved;
}

/** Values of settings that decide what agents are told unasked, from most to least told. */
const MOST_TOLD_FIRST: Readonly<Record<string, readonly unknown[]>> = {
  "recall.prompt": [true, false],
  "recall.file": [true, false],
  "recall.invite": [true, false],
  "search.gate": ["off", "loose", "normal", "strict"],
};

/** Settings of which a larger number tells more. */
const MOST_TOLD = ["search.promptK", "budgets.prompt"];

function tellsMore({ key }: NamedSetting, value: unknown, than: unknown): boolean {
  if (MOST_TOLD.includes(key)) return Number(value) > Number(than);
  const order = MOST_TOLD_FIRST[key] ?? [];
  return order.indexOf(value) < order.indexOf(than);
}

function fileLayer(file: string, problems: ConfigProblem[], maxBytes: number = UNTRUSTED.fileBytes): Layer {
  const content = readJson(file, problems, maxBytes);
  for (const key of unknownKeys(content)) problems.push({ where: file, key, message: "unknown setting" });
  return { where: () => file, valueOf: ({ path }) => path.reduce<unknown>(member, content) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a property of an object; undefined when there is none. */
function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function readJson(file: string, problems: ConfigProblem[], maxBytes: number): unknown {
  const ignore = (message: string) => {
    problems.push({ where: file, key: "", message });
    return {};
  };
  try {
    const stats = statIfExists(file);
    if (stats && !stats.isFile()) return ignore("is not a regular file");
    if (stats && stats.size > maxBytes) return ignore(`is larger than ${maxBytes / 1_000} KB`);
    const text = readUntrusted(file, "links", maxBytes)?.replace(/^\ufeff/, "") ?? "";
    if (text.trim() === "") return {};
    const errors: ParseError[] = [];
    const content: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) return ignore(jsonMistake(text, first));
    return isRecord(content) ? content : ignore("is not a JSON object");
  } catch (error) {
    return ignore(toMementorError(error).message);
  }
}

const KEYS = new Set(ALL_SETTINGS.map(({ key }) => key));
const GROUPS = new Set([...KEYS].map((key) => key.slice(0, key.lastIndexOf("."))));

function unknownKeys(content: unknown, prefix = ""): string[] {
  if (!isRecord(content)) return prefix === "" ? [] : [prefix.slice(0, -1)];
  return Object.entries(content).flatMap(([name, value]) => {
    const key = prefix + name;
    if (KEYS.has(key) || key === "$schema") return [];
    return GROUPS.has(key) ? unknownKeys(value, `${key}.`) : [key];
  });
}

function environmentLayer(env: ConfigSources["env"], problems: ConfigProblem[]): Layer {
  const isRefused = ({ filesOnly, variable }: NamedSetting) => filesOnly && env[variable] !== undefined;
  for (const leaf of ALL_SETTINGS.filter(isRefused))
    problems.push({ where: leaf.variable, key: leaf.key, message: "can only be set in your own files" });
  return {
    onlyTellsLess: true,
    where: ({ variable }) => variable,
    valueOf: (leaf) => (isRefused(leaf) ? undefined : settingFromText(leaf, env[leaf.variable])),
  };
}

/** Parses typed text as the type of the setting's default. Commas separate list items; an empty text is no value. */
export function settingFromText({ fallback }: NamedSetting, text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  if (typeof fallback === "boolean") return asBoolean(text.trim().toLowerCase()) ?? text;
  if (typeof fallback === "number") return Number.isFinite(Number(text)) ? Number(text) : text.trim();
  if (Array.isArray(fallback)) return text.split(",").map((item) => item.trim());
  return text.trim();
}

function asBoolean(word: string): boolean | undefined {
  if (["1", "true", "on", "yes"].includes(word)) return true;
  return ["0", "false", "off", "no"].includes(word) ? false : undefined;
}

/**
 * Returns the problem that hides what the user wants excluded: an unreadable file or a bad value of `exclude`. Null when there is
 * none.
 */
export function exclusionProblem({ problems }: Pick<LoadedConfig, "problems">): ConfigProblem | null {
  return problems.find(({ key }) => key === "" || key === GROUP || key.startsWith(`${GROUP}.`)) ?? null;
}

const GROUP = "exclude";

type Check = (must: string, setting: Setting) => v.GenericSchema<unknown, unknown>;

/** Builders of the schema for each kind of setting. `must` is the error message. */
const CHECKS: Readonly<Record<Setting["kind"], Check>> = {
  flag: (must) => v.boolean(must),
  whole: (must, { range: { min, max } = { min: 0, max: 0 } }) =>
    v.pipe(v.number(must), v.integer(must), v.minValue(min, must), v.maxValue(max, must)),
  word: (must, { words = [] }) => v.picklist(words, must),
  text: (must) => v.pipe(v.string(must), v.nonEmpty(must)),
  list: (must) => v.array(v.pipe(v.string(must), v.nonEmpty(must)), must),
  // A list may also be one text with commas.
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
export function settingSchema(setting: Setting): v.GenericSchema<unknown, unknown> {
  return CHECKS[setting.kind](`must be ${setting.allowed}`, setting);
}
