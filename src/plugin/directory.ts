import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readIfExists } from "../io/read.ts";
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

export function pluginState(directory: string): PluginState {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return "none";
  if (!found.isDirectory()) return "other";
  if (nameOf(directory) === manifest.name) return "installed";
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
