import { MementorError } from "../../errors.ts";
import { readIfExists } from "../../io/read.ts";
import type { SettingsChange } from "../settings-file.ts";
import pluginText from "./opencode-plugin.client.js" with { type: "text" };
import { removeOwnFile, writeOwnFile } from "./own-file.ts";

/** The event that stands for all hooks of a plugin. */
export const PLUGIN_EVENT = "plugin";

const FIRST_LINE = `${pluginText.split("\n", 1)[0]}\n`;

/** Writes the plugin. Throws `settings_invalid` for a file of this name that is not mementor's, and does not change it. */
export function writePluginFile(file: string): SettingsChange {
  if (readIfExists(file) !== null && pluginState(file) === "none")
    throw new MementorError("settings_invalid", `${file} was not written by mementor.`, {
      hint: "Give that plugin another name.",
    });
  return writeOwnFile(file, pluginText);
}

/** Deletes the plugin. Leaves a file of this name that is not mementor's. */
export function removePluginFile(file: string): SettingsChange {
  return pluginState(file) === "none" ? "unchanged" : removeOwnFile(file);
}

/** Returns whether a file is the plugin: as this program writes it, or as another version wrote it. */
export function pluginState(file: string): "none" | "current" | "outdated" {
  const text = readIfExists(file);
  if (!text?.startsWith(FIRST_LINE)) return "none";
  return text === pluginText ? "current" : "outdated";
}
