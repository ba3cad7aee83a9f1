import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { ioError } from "../io/errors.ts";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import { MANIFEST_PATH, PLUGIN_NAME, type PluginFile } from "./files.ts";

/**
 * Returns the directory where Claude Code finds the plugin. Claude Code loads any directory in its `skills/` with a
 * plugin manifest at its next start, without a marketplace (since 2.1.157; "Skills-directory plugins" in its reference).
 */
export function pluginDirectory(claudeDir: string): string {
  return join(claudeDir, "skills", PLUGIN_NAME);
}

/** What is in the plugin's directory: nothing, this plugin, or something else. */
export type PluginState = "none" | "installed" | "other";

export function pluginState(directory: string): PluginState {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return "none";
  if (!found.isDirectory()) return "other";
  if (nameOf(directory) === PLUGIN_NAME) return "installed";
  return readdirSync(directory).length === 0 ? "none" : "other";
}

const Manifest = v.looseObject({ name: v.string() });

function nameOf(directory: string): string | null {
  try {
    const parsed = v.safeParse(Manifest, JSON.parse(readIfExists(join(directory, MANIFEST_PATH)) ?? "null"));
    return parsed.success ? parsed.output.name : null;
  } catch {
    return null;
  }
}

/** Installs or updates the plugin. Throws if the directory holds something else. Writes the manifest last. */
export function installPlugin(
  directory: string,
  files: readonly PluginFile[],
): "created" | "updated" | "unchanged" {
  const before = pluginState(directory);
  if (before === "other") throw notOurs(directory);
  const isCurrent = (file: PluginFile) => readIfExists(join(directory, file.path)) === file.text;
  if (before === "installed" && files.every(isCurrent)) return "unchanged";
  const inOrder = [...files].sort(
    (a, b) => Number(a.path === MANIFEST_PATH) - Number(b.path === MANIFEST_PATH),
  );
  for (const { path, text } of inOrder) write(join(directory, path), text);
  return before === "none" ? "created" : "updated";
}

/**
 * Brings an installed plugin up to date: an older one approves more of mementor's commands beforehand than this one. Does
 * nothing where it is not installed. Returns whether it changed anything.
 */
export function renewPlugin(directory: string, files: readonly PluginFile[]): boolean {
  return pluginState(directory) === "installed" && installPlugin(directory, files) === "updated";
}

/** Whether an installed plugin is not the one that this program brings. */
export function isOutdated(directory: string, files: readonly PluginFile[]): boolean {
  const isCurrent = ({ path, text }: PluginFile) => readIfExists(join(directory, path)) === text;
  return pluginState(directory) === "installed" && !files.every(isCurrent);
}

/** Deletes the plugin's directory, and the one around it when that is empty then. Throws if the directory holds something else. */
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

/** Removes the directory of all skills where nothing else is in it: the install may have made it. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Something else is in it, or it is a link.
  }
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw ioError(error, `create ${dirname(file)}`);
  }
  writeAtomic(file, text);
}

function notOurs(directory: string): MementorError {
  return new MementorError("not_writable", `${directory} exists, but is not this plugin`, {
    hint: "Move it to another place and try again.",
  });
}
