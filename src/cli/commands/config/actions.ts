import { rmSync } from "node:fs";
import { join } from "node:path";
import { configEntries, type LoadedConfig, loadConfig } from "../../../config/config.ts";
import type { Leaf } from "../../../config/settings.ts";
import { MementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import { TREE_CONFIG } from "../../../project/tree.ts";
import type { Runtime } from "../../../runtime.ts";
import {
  EMPTY_CONFIG,
  problemsOf,
  setIn,
  settingOf,
  textOf,
  typedValue,
  unsetIn,
  write,
} from "../../../setup/config-file.ts";
import { printable } from "../../../text/invisible.ts";
import { modelComplaint } from "../../config-problems.ts";
import { printResult, runOnTerminal } from "../../terminal/ask.ts";
import { renderConfigChange, renderProblem, renderSetting } from "./text.ts";

/**
 * Prints the value of one setting as it counts now, from wherever it comes; with `user`, as the user's own file has it.
 *
 * @throws `usage` unless one setting is named.
 */
export async function printSetting(
  runtime: Runtime,
  words: readonly string[],
  { user, json }: { user: boolean; json: boolean },
): Promise<number> {
  const [key] = words;
  if (key === undefined || words.length > 1)
    throw new MementorError("usage", "Name one setting.", {
      hint: "For example: mementor config get search.k",
    });
  const leaf = settingOf(key);
  const loaded = user
    ? loadConfig({ userFile: join(runtime.paths.configDir, TREE_CONFIG), env: {} })
    : await runtime.config();
  const entry = configEntries(loaded).find((each) => each.key === leaf.key);
  const { value, origin } = entry ?? { value: leaf.fallback, origin: "default" };
  if (!user) {
    const ignored = loaded.problems.filter((problem) => problem.key === leaf.key);
    for (const problem of ignored)
      runtime.host.stderr.write(`Ignored ${printable(problem.where)}: ${renderProblem(problem)}\n`);
  }
  return printResult(runtime.host.stdout, json, { key: leaf.key, value, origin }, () => renderSetting(value));
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
  throw new MementorError("not_found", "This project has no memory, and so no settings, yet.", {
    hint: 'Run "mementor enable" first, or add "--user" to change the settings of all your projects.',
  });
}

interface ChangeOptions {
  user: boolean;
  json: boolean;
}

/**
 * Sets a setting, or removes it from the file when `words` is null.
 *
 * @throws `usage` when no setting is named or there is none of this name, for a value that it does not take, and where
 *   `--db` names a database; `not_found` where the project has no memory, `settings_invalid` for a file that cannot be
 *   edited.
 */
export async function changeSetting(
  runtime: Runtime,
  key: string | undefined,
  words: readonly string[] | null,
  options: ChangeOptions,
): Promise<number> {
  const action = words === null ? "unset" : "set";
  if (key === undefined)
    throw new MementorError("usage", `Name the setting to ${action}.`, {
      hint: `For example: mementor config ${action} search.k${words === null ? "" : " 5"}`,
    });
  const leaf = settingOf(key);
  const value = words === null ? undefined : typedValue(leaf, words);
  const complaint = leaf.key === "embedding.model" && words !== null ? modelComplaint(value, runtime) : null;
  if (complaint !== null)
    throw new MementorError("usage", `${leaf.key} ${complaint}.`, { hint: "Nothing was changed." });
  const file = await fileToChange(runtime, options.user);
  const changed = words === null ? unsetIn(file, leaf) : setIn(file, leaf, value);
  const effective = entryOf(await runtime.renewed().config(), leaf);
  const change = { action, key: leaf.key, file, changed, ...effective } as const;
  return printResult(runtime.host.stdout, options.json, change, () => renderConfigChange(change));
}

function entryOf(loaded: LoadedConfig, { key }: Leaf): { value: unknown; origin: string } {
  const entry = configEntries(loaded).find((each) => each.key === key);
  return { value: entry?.value, origin: entry?.origin ?? "default" };
}

/**
 * Opens a copy of the settings in the user's editor. Replaces the file when the copy is valid; otherwise what was
 * written stays in the copy, and the next call continues with it.
 *
 * @throws `io` when the editor fails, `settings_invalid` when the copy is invalid or the file was changed in the
 *   meantime.
 */
export async function editSettings(runtime: Runtime, isForUser: boolean): Promise<number> {
  const { host } = runtime;
  const file = await fileToChange(runtime, isForUser);
  const editor = editorOf(host, file);
  const draft = `${file}.draft`;
  const before = textOf(file);
  const left = textOf(draft);
  if (left === null) write(draft, before ?? EMPTY_CONFIG);
  else host.stderr.write(`Continuing with what was left in ${draft}\n`);
  const exitCode = await open(editor, draft, host);
  if (exitCode !== 0) {
    const isUntouched = left === null && textOf(draft) === (before ?? EMPTY_CONFIG);
    throw editorFailed(exitCode, editor, draft, isUntouched);
  }
  const after = textOf(draft) ?? EMPTY_CONFIG;
  const problems = problemsOf(draft);
  if (problems.length > 0)
    throw new MementorError("settings_invalid", problems.map(renderProblem).join("\n"), {
      hint: 'Nothing was changed. To correct what you wrote, run "mementor config edit" again.',
    });
  if (textOf(file) !== before)
    throw new MementorError("settings_invalid", `${file} was changed in the meantime.`, {
      hint: `Nothing was changed. What you wrote is in ${draft}`,
    });
  const isChanged = after !== (before ?? EMPTY_CONFIG);
  if (isChanged) write(file, after);
  rmSync(draft, { force: true });
  host.stdout.write(isChanged ? `Wrote ${file}\n` : "Nothing was changed.\n");
  return 0;
}

function editorOf({ env }: Host, file: string): string {
  const editor = env.VISUAL || env.EDITOR;
  if (editor) return editor;
  throw new MementorError("usage", "No editor is set.", {
    hint: `Set EDITOR, or use "mementor config set", or edit this file: ${file}`,
  });
}

/** Returns the error for an editor that failed. A draft in which nothing was written does not stay. */
function editorFailed(exitCode: number, editor: string, draft: string, isUntouched: boolean): MementorError {
  if (isUntouched) rmSync(draft, { force: true });
  return new MementorError("io", `The editor ended with exit code ${exitCode}; nothing was changed.`, {
    hint: isUntouched
      ? `The editor is ${JSON.stringify(editor)}, from VISUAL or EDITOR.`
      : `What you wrote is in ${draft}`,
  });
}

/** Runs the editor on this terminal. Its command may have options: `code --wait`. */
function open(editor: string, file: string, { env, platform }: Host): Promise<number> {
  const words =
    platform === "win32"
      ? [...editor.split(" "), file]
      : ["/bin/sh", "-c", `${editor} "$1"`, "mementor", file];
  return runOnTerminal(words, { env: { ...env } });
}
