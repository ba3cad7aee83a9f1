import { type HookEntry, hookEntries } from "../project/hook-entries.ts";
import { FROM_PLUGIN } from "../project/hook-events.ts";
import manifest from "./files/.claude-plugin/plugin.json" with { type: "json" };
import recall from "./files/commands/recall.md" with { type: "text" };
import memory from "./files/skills/memory/SKILL.md" with { type: "text" };

/** The plugin's name, in its manifest and for its directory. */
export const PLUGIN_NAME = manifest.name;

/** Path of the manifest in a plugin. It identifies a directory as this plugin. */
export const MANIFEST_PATH = ".claude-plugin/plugin.json";

/** One file of the plugin. */
export interface PluginFile {
  /** Below the plugin's directory, with `/`. */
  path: string;
  text: string;
}

/** Creates the files of the plugin. Its tools start `program`, or `mementor` from the PATH in the form that is shared. */
export function pluginFiles(program: string | null = null): PluginFile[] {
  const entries = hookEntries([FROM_PLUGIN], "sh", true);
  return [
    { path: MANIFEST_PATH, text: json(manifest) },
    { path: "hooks/hooks.json", text: json({ hooks: Object.fromEntries(entries.map(hookOf)) }) },
    {
      path: ".mcp.json",
      text: json({ mcpServers: { memory: { command: program ?? "mementor", args: ["mcp"] } } }),
    },
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
