import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "../../io/json.ts";
import { readIfExists } from "../../io/read.ts";
import manifest from "./files/.claude-plugin/plugin.json" with { type: "json" };

/** Path of the manifest in a plugin. It identifies a directory as this plugin. */
export const MANIFEST_PATH = ".claude-plugin/plugin.json";

/**
 * Returns the directory where Claude Code finds the plugin. Claude Code loads any directory in its `skills/` with a
 * plugin manifest at its next start, without a marketplace (since 2.1.157; "Skills-directory plugins" in its reference).
 */
export function pluginDirectory(claudeDir: string): string {
  return join(claudeDir, "skills", manifest.name);
}

/** What is in the plugin's directory: nothing, this plugin, or something else. */
export type PluginState = "none" | "installed" | "other";

/** Returns what is in the plugin's directory. Hooks ask, so little is loaded for it. */
export function pluginState(directory: string): PluginState {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return "none";
  if (!found.isDirectory()) return "other";
  if (nameOf(directory) === manifest.name) return "installed";
  return readdirSync(directory).length === 0 ? "none" : "other";
}

function nameOf(directory: string): unknown {
  try {
    return parseObject(readIfExists(join(directory, MANIFEST_PATH)) ?? "")?.name;
  } catch {
    return null;
  }
}
