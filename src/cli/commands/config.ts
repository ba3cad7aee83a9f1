import { join } from "node:path";
import {
  type ConfigEntry,
  type ConfigProblem,
  configEntries,
  type LoadedConfig,
  loadConfig,
} from "../../config/config.ts";
import type { NamedSetting } from "../../config/settings.ts";
import { MementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import { TREE_CONFIG, treeDirectory } from "../../project/tree.ts";
import type { Runtime } from "../../runtime.ts";
import { findSetting, removeSetting, typedValue, writeSetting } from "../../setup/config-file.ts";
import { printable } from "../../text/invisible.ts";
import { wrap } from "../../text/width.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, listArgument, oneOf, optional } from "../command-line/option.ts";
import { configProblems, modelComplaint, problemWords, renderProblem } from "../config-problems.ts";
import type { Screen } from "../terminal/screen.ts";
import { renderColumns } from "../terminal/table.ts";
import { printResult } from "../terminal/view.ts";

export const command = defineCommand({
  name: "config",
  help: { group: "Set up", position: 5 },
  summary: "Show every setting with its value and its source; get, set, unset",
  arguments: {
    action: optional("action", oneOf(["list", "get", "set", "unset"])),
    words: listArgument("setting"),
  },
  actions: [
    [
      "list",
      "Show every setting with its value, its meaning and where it comes from; also without an action",
    ],
    ["get <setting>", "Print the value of a setting"],
    ["set <setting> <value...>", "Set it; a list takes several values"],
    ["unset <setting>", "Remove it from the file"],
  ],
  options: {
    user: flag("Use the settings of all your projects, not those of this one"),
    json: jsonOption,
  },
  examples: [
    "mementor config",
    "mementor config get search.k",
    "mementor config set search.k 5",
    'mementor config set exclude.paths "dist/**" "*.snap"',
    "mementor config unset search.k --user",
    "MEMENTOR_SEARCH_K=5 mementor config",
  ],
  printsData: ({ words: [action] }) => action === "get",
  async run({ args: { action, words }, options }, runtime) {
    if (action === "get") return printSetting(runtime, words, options);
    const [key, ...values] = words;
    if (action === "set" || action === "unset")
      return changeSetting(runtime, key, action === "set" ? values : null, options);
    if (key !== undefined)
      throw new MementorError("usage", '"mementor config list" takes no setting.', {
        hint: `To see one: mementor config get ${key}`,
      });
    const { paths, memory, project } = runtime;
    const loaded = await runtime.config();
    const isOwn = memory.directory !== null && (await runtime.origin()) === "own";
    const tree = treeDirectory(project.root);
    const directories =
      isOwn && memory.directory ? [paths.configDir, memory.directory, tree] : [paths.configDir, tree];
    const files = directories.map((directory) => {
      const file = join(directory, TREE_CONFIG);
      return { file, exists: statIfExists(file) !== null };
    });
    const report = { files, settings: configEntries(loaded), problems: await configProblems(runtime) };
    return printResult(runtime, options, report, renderConfig);
  },
});

/** Prints the effective value of a setting; with `user`, its value according to the user's own file. */
async function printSetting(
  runtime: Runtime,
  words: readonly string[],
  { user, json }: { user: boolean; json: boolean },
): Promise<number> {
  const [key] = words;
  if (key === undefined || words.length > 1)
    throw new MementorError("usage", "Name one setting.", {
      hint: "For example: mementor config get search.k",
    });
  const leaf = findSetting(key);
  const loaded = user
    ? loadConfig({ userFile: join(runtime.paths.configDir, TREE_CONFIG), env: {} })
    : await runtime.config();
  const ignored = user ? [] : loaded.problems.filter((problem) => problem.key === leaf.key);
  for (const problem of ignored)
    runtime.host.stderr.write(`Ignored ${printable(problem.where)}: ${renderProblem(problem)}\n`);
  const shown = { key: leaf.key, ...entryOf(loaded, leaf) };
  return printResult(runtime, { json }, shown, ({ value }) => renderSetting(value));
}

/**
 * Returns the file to change: the user's, or that of this project's memory. Never the file in the repository: anyone
 * who can push may have written that one.
 *
 * @throws `usage` where `--db` names a database, `not_found` where the project has no memory.
 */
async function fileToChange(runtime: Runtime, isForUser: boolean): Promise<string> {
  const { memory, paths } = runtime;
  if (isForUser) return join(paths.configDir, TREE_CONFIG);
  if (memory.directory === null)
    throw new MementorError("usage", "A database that is named with --db has no settings.", {
      hint: "To change the settings of all your projects, add --user.",
    });
  if ((await runtime.origin()) === "own") return join(memory.directory, TREE_CONFIG);
  throw new MementorError("not_found", "This project has no memory yet, and so no settings of its own.", {
    hint: 'Run "mementor enable" first, or add "--user" to change the settings of all your projects.',
  });
}

/**
 * Sets a setting, or removes it from the file when `words` is null. Throws `usage` for an unknown setting or value, `not_found`
 * without a memory, and `settings_invalid` for a file that cannot be edited.
 */
async function changeSetting(
  runtime: Runtime,
  key: string | undefined,
  words: readonly string[] | null,
  options: { user: boolean; json: boolean },
): Promise<number> {
  const action = words === null ? "unset" : "set";
  if (key === undefined)
    throw new MementorError("usage", `Name the setting to ${action}.`, {
      hint: `For example: mementor config ${action} search.k${words === null ? "" : " 5"}`,
    });
  const leaf = findSetting(key);
  const value = words === null ? undefined : typedValue(leaf, words);
  const complaint = leaf.key === "embedding.model" && words !== null ? modelComplaint(value, runtime) : null;
  if (complaint !== null)
    throw new MementorError("usage", `${leaf.key} ${complaint}.`, { hint: "Nothing was changed." });
  const file = await fileToChange(runtime, options.user);
  const changed = words === null ? removeSetting(file, leaf) : writeSetting(file, leaf, value);
  const effective = entryOf(await runtime.renewed().config(), leaf);
  const change = { action, key: leaf.key, file, changed, ...effective } as const;
  return printResult(runtime, options, change, renderConfigChange);
}

function entryOf(loaded: LoadedConfig, { key, fallback }: NamedSetting): { value: unknown; origin: string } {
  const { value, origin } = configEntries(loaded).find((each) => each.key === key) ?? {
    value: fallback,
    origin: "default",
  };
  return { value, origin };
}

/** The output of `config list`. */
interface ConfigReport {
  /** Later files override earlier ones; the environment overrides all files. */
  files: { file: string; exists: boolean }[];
  settings: readonly ConfigEntry[];
  problems: ConfigProblem[];
}

/** Renders the effective configuration: each setting's value, source, meaning and allowed values. */
function renderConfig(
  { files, settings, problems }: ConfigReport,
  { style, width }: Pick<Screen, "style" | "width">,
): string {
  const rows = settings.map(({ key, value, origin }) => [key, JSON.stringify(value), printable(origin)]);
  const lines = renderColumns(rows).flatMap((line, at) => {
    const setting = settings[at];
    if (setting === undefined) return [];
    const shown = setting.origin === "default" ? line : style.bold(line);
    const about = wrap(`${setting.meaning}: ${setting.allowed}`, (width ?? Number.POSITIVE_INFINITY) - 4);
    return [shown, ...about.map((text) => style.dim(`    ${text}`))];
  });
  const places = files.map(
    ({ file, exists }) => `  ${printable(file)}${exists ? "" : style.dim(" (does not exist)")}`,
  );
  const wrong = problems.map((problem) => `${style.yellow("Ignored")}   ${problemWords(problem)}`);
  return `${[
    ...lines,
    "",
    "Read from (later entries override earlier ones):",
    ...places,
    "  MEMENTOR_* in the environment, such as MEMENTOR_SEARCH_K=5",
    ...(wrong.length > 0 ? ["", ...wrong] : []),
  ].join("\n")}\n`;
}

/** Renders a value for a script: a text as it is, anything else as JSON. */
function renderSetting(value: unknown): string {
  return `${typeof value === "string" ? printable(value) : JSON.stringify(value)}\n`;
}

/** A setting that was changed, and its value from now on. */
interface ConfigChange {
  action: "set" | "unset";
  key: string;
  file: string;
  /** False if the file was already in this state. */
  changed: boolean;
  value: unknown;
  /** The file or variable that the value comes from. */
  origin: string;
}

/** Renders the result of a change, and the effective value if another source overrides it. */
function renderConfigChange({ action, key, file, changed, value, origin }: ConfigChange): string {
  const place = printable(file);
  if (!changed)
    return `${key} is ${action === "set" ? `${JSON.stringify(value)} already` : "not set"} in ${place}\n`;
  const now = `It is ${JSON.stringify(value)} now, from ${origin === "default" ? "the defaults" : printable(origin)}.\n`;
  const done = action === "set" ? `Set ${key} in ${place}\n` : `Removed ${key} from ${place}\n`;
  if (action === "set" && origin === file) return `Set ${key} to ${JSON.stringify(value)} in ${place}\n`;
  return done + now;
}
