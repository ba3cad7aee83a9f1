import { printable } from "../text/invisible.ts";
import { shWord } from "../text/shell-words.ts";

/** The directory of the plugin, and what changed there. */
export interface PluginChange {
  directory: string;
  change: "created" | "updated" | "removed" | "unchanged";
}

/** A change as `--json` gives it. */
export function pluginJson({ directory, change }: PluginChange) {
  return { directory, change };
}

const DONE = {
  created: "Installed the plugin in",
  updated: "Updated the plugin in",
  unchanged: "The plugin is already installed in",
  removed: "Removed the plugin from",
} as const;

/** Renders the result of an installation, and what happens next. */
export function renderPluginInstalled({ directory, change }: PluginChange): string {
  return [
    `${DONE[change]} ${printable(directory)}.`,
    "Claude Code (2.1.157 or later) loads it when it starts next: the skill memory, the command /mementor:recall, the memory's tools and the hooks.",
    'Hooks in settings go before those of the plugin, so nothing runs twice. A project remembers once "mementor enable" was run in it.',
    `With an older Claude Code, start it with: claude --plugin-dir ${shWord(printable(directory))}`,
    "",
  ].join("\n");
}

/** Renders the result of a removal. */
export function renderPluginUninstalled({ directory, change }: PluginChange): string {
  const place = printable(directory);
  return change === "removed"
    ? `${DONE.removed} ${place}. The memory stays.\n`
    : `There is no plugin in ${place}.\n`;
}

/** Renders whether the plugin is installed, and what changes that. */
export function renderPluginState(state: { directory: string; isInstalled: boolean }): string {
  if (!state.isInstalled)
    return "The plugin for Claude Code is not installed. To install it: mementor plugin install\n";
  return `The plugin for Claude Code is installed in ${printable(state.directory)}.\nTo take it out: mementor plugin uninstall\n`;
}
