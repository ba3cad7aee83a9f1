import { FROM_PLUGIN, type HookEntry, hookEntries } from "../project/hook-entries.ts";
import manifest from "./files/.claude-plugin/plugin.json" with { type: "json" };
import recall from "./files/commands/recall.md" with { type: "text" };
import memory from "./files/skills/memory/SKILL.md" with { type: "text" };

/** The plugin's name, in its manifest and for its directory. */
export const PLUGIN_NAME = manifest.name;

/** Where the manifest is in a plugin; by it a directory is known to be ours. */
export const MANIFEST_PATH = ".claude-plugin/plugin.json";

/** One file of the plugin. */
export interface PluginFile {
  /** Below the plugin's directory, with `/`. */
  path: string;
  text: string;
}

/**
 * Makes the files of the plugin. With `self`, how this program is started, hooks and tools are started by absolute
 * paths; without, by a plain `mementor` from the PATH, silent where there is none: the form that is shared.
 */
export function pluginFiles(platform: NodeJS.Platform, self: readonly string[] | null = null): PluginFile[] {
  const entries = hookEntries(self === null ? "project" : "user", self ?? [], platform, [FROM_PLUGIN]);
  const [command = "mementor", ...args] = self ?? [];
  return [
    { path: MANIFEST_PATH, text: json(manifest) },
    { path: "hooks/hooks.json", text: json({ hooks: Object.fromEntries(entries.map(hookOf)) }) },
    { path: ".mcp.json", text: json({ mcpServers: { memory: { command, args: [...args, "mcp"] } } }) },
    { path: "skills/memory/SKILL.md", text: memory },
    { path: "commands/recall.md", text: recall },
  ];
}

function hookOf({ event, matcher, command, timeoutSeconds }: HookEntry) {
  const hooks = [{ type: "command", command, timeout: timeoutSeconds }];
  return [event, [matcher === null ? { hooks } : { matcher, hooks }]] as const;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
