import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { readIfExists } from "../../io/read.ts";
import { writeAtomic } from "../../io/write.ts";
import { type HookEntry, hookEntries } from "../settings/hook-entries.ts";
import { FROM_PLUGIN_FLAG, NO_SHELL_FLAG } from "../settings/hook-events.ts";
import { formatHook } from "../settings/settings-hooks.ts";
import { MANIFEST_PATH, pluginState } from "./directory.ts";
import manifest from "./files/.claude-plugin/plugin.json" with { type: "json" };
import recall from "./files/commands/recall.md" with { type: "text" };
import memory from "./files/skills/memory/SKILL.md" with { type: "text" };

/** Installs or updates the plugin. Throws if the directory contains something else. Writes the manifest last. */
export function installPlugin(
  directory: string,
  files: readonly PluginFile[],
): "created" | "updated" | "unchanged" {
  const before = pluginState(directory);
  if (before === "other") throw notOurs(directory);
  if (before === "installed" && !isOutdated(directory, files)) return "unchanged";
  const inOrder = [...files].sort(
    (a, b) => Number(a.path === MANIFEST_PATH) - Number(b.path === MANIFEST_PATH),
  );
  for (const { path, text } of inOrder) write(join(directory, path), text);
  return before === "none" ? "created" : "updated";
}

/**
 * Updates an installed plugin, because older ones pre-approve more of mementor's commands. Does nothing if it is not installed.
 * Returns whether anything changed.
 */
export function renewPlugin(directory: string, files: readonly PluginFile[]): boolean {
  return pluginState(directory) === "installed" && installPlugin(directory, files) === "updated";
}

/** Tells whether an installed plugin is not the one that this program brings. */
export function isOutdated(directory: string, files: readonly PluginFile[]): boolean {
  const isCurrent = ({ path, text }: PluginFile) => readIfExists(join(directory, path)) === text;
  return pluginState(directory) === "installed" && !files.every(isCurrent);
}

/** Deletes the plugin's directory, and its parent if that becomes empty. Throws if the directory contains something else. */
export function uninstallPlugin(directory: string): "removed" | "unchanged" {
  const found = pluginState(directory);
  if (found === "none") return "unchanged";
  if (found === "other") throw notOurs(directory);
  try {
    rmSync(directory, { recursive: true });
  } catch (error) {
    throw ioError(error, `delete ${directory}`);
  }
  removeEmpty(dirname(directory));
  return "removed";
}

/** Removes the directory of all skills if it is empty, because the installation may have created it. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It contains something else, or is a link.
  }
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  } catch (error) {
    throw ioError(error, `create ${dirname(file)}`);
  }
  writeAtomic(file, text);
}

function notOurs(directory: string): MementorError {
  return new MementorError("not_writable", `${directory} exists, but is not mementor's plugin`, {
    hint: "Move it to another place and try again.",
  });
}

/** Path of the hooks in a plugin. */
const HOOKS_PATH = "hooks/hooks.json";

/** One file of the plugin. */
interface PluginFile {
  /** Below the plugin's directory, with `/`. */
  path: string;
  text: string;
}

/**
 * Creates the plugin's files. The MCP server starts `program`, or `mementor` from the PATH if that is null. With `isExec`, hooks
 * start the program directly; otherwise they are shell command lines.
 */
export function pluginFiles(program: string | null = null, isExec = false): PluginFile[] {
  const entries = hookEntries({
    flags: [FROM_PLUGIN_FLAG],
    takesLater: true,
    program: isExec ? program : null,
  });
  return [
    { path: MANIFEST_PATH, text: json(manifest) },
    { path: HOOKS_PATH, text: json({ hooks: Object.fromEntries(entries.map(groupsOf)) }) },
    {
      path: ".mcp.json",
      text: json({ mcpServers: { memory: { command: program ?? "mementor", args: ["mcp"] } } }),
    },
    { path: "skills/memory/SKILL.md", text: memory },
    { path: "commands/recall.md", text: recall },
  ];
}

/** Returns new files in the form of an installed plugin's hooks; only `enable` and `plugin install` change that form. */
export function renewedFiles(directory: string, program: string): PluginFile[] {
  return pluginFiles(program, readIfExists(join(directory, HOOKS_PATH))?.includes(NO_SHELL_FLAG) === true);
}

function groupsOf(entry: HookEntry) {
  const { event, matcher } = entry;
  const hooks = [formatHook(entry)];
  return [event, [matcher === null ? { hooks } : { matcher, hooks }]] as const;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
