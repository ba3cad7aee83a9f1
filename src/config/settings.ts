import { LOG_LEVELS } from "../constants.ts";

/** A setting: its default, its allowed values and its meaning. */
export interface Setting<Value = unknown> {
  kind: "flag" | "whole" | "word" | "text" | "list" | "members";
  fallback: Value;
  /** Description in one line. */
  meaning: string;
  /** Allowed values, in words that follow "must be". */
  allowed: string;
  /** Bounds of a whole number. */
  range?: { min: number; max: number };
  /** The allowed words of a setting that accepts only a few. */
  words?: readonly string[];
  /** An example item of a list. */
  example?: string;
  /**
   * True when only the user's own files may set it. A repository can set variables in its agent's settings. It must not relate
   * another project (whose memory would then appear here), decide whom the user trusts or which servers may ask for passwords,
   * remove turns, or slow down prompts.
   */
  filesOnly?: true;
}

const FILES_ONLY = { filesOnly: true } as const;

type Extra = Pick<Setting, "filesOnly">;

function flag(fallback: boolean, meaning: string, extra: Extra = {}): Setting<boolean> {
  return { kind: "flag", fallback, meaning, allowed: "true or false", words: ["true", "false"], ...extra };
}

function whole(
  fallback: number,
  [min, max]: readonly [number, number],
  meaning: string,
  extra: Extra = {},
): Setting<number> {
  const allowed = `a whole number from ${min} to ${max}`;
  return { kind: "whole", fallback, meaning, allowed, range: { min, max }, ...extra };
}

function word<const Words extends readonly string[]>(
  fallback: Words[number],
  words: Words,
  meaning: string,
): Setting<Words[number]> {
  return {
    kind: "word",
    fallback,
    meaning,
    allowed: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    words,
  };
}

function text(fallback: string, allowed: string, meaning: string): Setting<string> {
  return { kind: "text", fallback, meaning, allowed };
}

/** Makes a setting that is a list, empty by default. `of` names its items. */
function list(of: string, example: string, meaning: string, extra: Extra = {}): Setting<string[]> {
  const allowed = `a list of ${of}, such as ["${example}"]`;
  return { kind: "list", fallback: [], meaning, allowed, example, ...extra };
}

/** Makes a setting that accepts all members of a team, some by name, or none. */
function members(meaning: string): Setting<"all" | string[]> {
  const allowed = '"all", "none" or a list of members, such as ["ada", "grace"]';
  return { kind: "members", fallback: "all", meaning, allowed, ...FILES_ONLY };
}

/**
 * All settings, in the shape of the configuration files and in the order of `config`. Everything else derives from this table. It
 * has no schemas: when nothing is configured, as on most machines, a hook needs only the defaults.
 */
const SETTINGS = {
  recall: {
    prompt: flag(true, "tell an agent, with a prompt, what earlier sessions settled"),
    file: flag(true, "tell it, before it reads or edits a file, what was said of that file"),
    invite: flag(true, "tell it and its subagents, at their start, that it can ask the memory, when and how"),
    agentNotes: flag(true, "tell notes that agents wrote, marked as such", FILES_ONLY),
    related: list("paths", "../api", "other projects whose memories answer prompts, too", FILES_ONLY),
  },
  budgets: {
    // Claude Code truncates the output of a hook at 10,000 characters and shows the model only a preview.
    prompt: whole(1_000, [100, 9_500], "maximum number of characters to tell with a prompt, or about a file"),
  },
  search: {
    k: whole(10, [1, 100], "how many turns a search returns"),
    promptK: whole(3, [1, 20], "maximum number of matters to tell with a prompt"),
    gate: word(
      "normal",
      ["off", "loose", "normal", "strict"],
      "how surely a turn must be worth telling; strict tells less",
    ),
  },
  exclude: {
    paths: list("patterns", "secrets/**", "files of which nothing is stored"),
    projects: list(
      "patterns of directories",
      "/home/grace/clients/**",
      "projects in which nothing is read or told",
    ),
  },
  embedding: {
    model: text(
      "bge-small-en-v1.5-int8",
      'the id of a model that "mementor model list" shows',
      "the model of new memories; mementor model use changes that of this one",
    ),
    runtime: word("auto", ["auto", "native", "wasm"], "what runs the model"),
    wasmInHooks: flag(false, "run the model in hooks even where that takes a second", FILES_ONLY),
    saveEnergy: flag(
      true,
      "in the background, use half of the cores on battery, and pause for other programs",
    ),
  },
  team: {
    keepDays: whole(0, [0, 36_500], "keep turns of colleagues for so many days; 0 for all", FILES_ONLY),
    keepTurns: whole(
      100_000,
      [0, 10_000_000],
      "how many turns of colleagues are kept, the newest",
      FILES_ONLY,
    ),
    servers: list(
      "servers",
      "db.example.org:5432",
      "servers that --db may connect to, beside those that you joined",
      FILES_ONLY,
    ),
    trust: members("whose turns hooks may tell"),
    recall: flag(true, "let hooks tell turns of colleagues", FILES_ONLY),
  },
  log: { level: word("info", LOG_LEVELS, "how much is logged") },
};

type Settings = typeof SETTINGS;

/** The values of all settings. */
export type Config = {
  [Group in keyof Settings]: {
    [Name in keyof Settings[Group]]: Settings[Group][Name] extends Setting<infer Value> ? Value : never;
  };
};

/** A setting with its dotted path and the environment variable that overrides it. */
export interface NamedSetting extends Setting {
  key: string;
  path: readonly [group: string, name: string];
  variable: string;
}

/** Prefix of the environment variables that override settings. */
export const VARIABLE_PREFIX = "MEMENTOR_";

/** All settings with their paths, in the order of the table. */
export const ALL_SETTINGS: readonly NamedSetting[] = Object.entries(SETTINGS).flatMap(([group, settings]) =>
  Object.entries<Setting>(settings).map(([name, setting]) => ({
    ...setting,
    key: `${group}.${name}`,
    path: [group, name],
    variable: `${VARIABLE_PREFIX}${snake(group)}_${snake(name)}`,
  })),
);

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Builds a configuration from a function that returns a valid value for each setting. */
export function buildConfig(resolve: (leaf: NamedSetting) => unknown): Config {
  const config: Record<string, Record<string, unknown>> = {};
  for (const leaf of ALL_SETTINGS) {
    const [group, name] = leaf.path;
    config[group] = { ...config[group], [name]: resolve(leaf) };
  }
  return config as Config;
}

/** The configuration when nothing is configured. */
export const DEFAULTS: Config = buildConfig(({ fallback }) => fallback);
