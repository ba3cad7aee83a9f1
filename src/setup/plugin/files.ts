import { join } from "node:path";
import { readIfExists } from "../../io/read.ts";
import { type HookEntry, hookEntries } from "../hook-entries.ts";
import { FROM_PLUGIN, NO_SHELL } from "../hook-events.ts";
import { hookOf } from "../settings-hooks.ts";
import { MANIFEST_PATH } from "./directory.ts";
import manifest from "./files/.claude-plugin/plugin.json" with { type: "json" };
import recall from "./files/commands/recall.md" with { type: "text" };
import memory from "./files/skills/memory/SKILL.md" with { type: "text" };

/** Path of the hooks in a plugin. */
const HOOKS_PATH = "hooks/hooks.json";

/** One file of the plugin. */
export interface PluginFile {
  /** Below the plugin's directory, with `/`. */
  path: string;
  text: string;
}

/**
 * Creates the files of the plugin. The MCP server starts `program`, or `mementor` from the PATH where that is null. With
 * `isExec` the hooks start the program directly; otherwise they are command lines for a shell.
 */
export function pluginFiles(program: string | null = null, isExec = false): PluginFile[] {
  const entries = hookEntries({
    flags: [FROM_PLUGIN],
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

/** Returns the same files as an installed plugin has: only `enable` and `plugin install` change the form of its hooks. */
export function renewedFiles(directory: string, program: string): PluginFile[] {
  return pluginFiles(program, readIfExists(join(directory, HOOKS_PATH))?.includes(NO_SHELL) === true);
}

function groupsOf(entry: HookEntry) {
  const { event, matcher } = entry;
  const hooks = [hookOf(entry)];
  return [event, [matcher === null ? { hooks } : { matcher, hooks }]] as const;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
