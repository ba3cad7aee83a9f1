import { printable } from "../text/printable.ts";

/** What was done to the plugin, and where it is. */
export interface PluginChange {
  directory: string;
  change: "created" | "updated" | "removed" | "unchanged";
}

/** A change as `--json` gives it. */
export function pluginJson({ directory, change }: PluginChange) {
  return { directory, change };
}

const DONE = {
  created: "The plugin is in",
  updated: "The plugin is brought up to date in",
  unchanged: "The plugin was already in",
  removed: "The plugin is gone from",
} as const;

/** Renders what was done, and what happens next. */
export function renderPluginInstalled({ directory, change }: PluginChange): string {
  return [
    `${DONE[change]} ${printable(directory)}.`,
    "Claude Code (2.1.157 or later) loads it when it starts next: the skill memory, the command",
    "/mementor:recall, the memory's tools and the hooks. Hooks in settings go before those of the plugin,",
    'so nothing runs twice. A project remembers once "mementor enable" was run in it.',
    `With an older Claude Code, start it with: claude --plugin-dir ${shown(directory)}`,
    "",
  ].join("\n");
}

/** Renders what was taken away. */
export function renderPluginUninstalled({ directory, change }: PluginChange): string {
  const place = printable(directory);
  return change === "removed"
    ? `${DONE.removed} ${place}. The memory stays.\n`
    : `There is no plugin in ${place}.\n`;
}

function shown(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`;
}
