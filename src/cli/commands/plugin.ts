import { MementorError } from "../../errors.ts";
import { printable } from "../../text/invisible.ts";
import { shWord } from "../../text/lines.ts";
import { defineCommand } from "../command-line/command.ts";
import { jsonOption, oneOf, optional } from "../command-line/option.ts";
import { printResult } from "../terminal/view.ts";

export const command = defineCommand({
  name: "plugin",
  help: { group: "For programs", position: 2 },
  summary: "Install the plugin for Claude Code: a skill, a command, the tools and the hooks",
  arguments: { action: optional("action", oneOf(["install", "uninstall", "path"])) },
  actions: [
    ["(none)", "Say whether it is installed"],
    ["install", "Install it, or bring it up to date"],
    ["uninstall", "Take it out"],
    ["path", "Print its directory"],
  ],
  options: { json: jsonOption },
  examples: ["mementor plugin", "mementor plugin install", "mementor plugin uninstall"],
  async run({ args: { action }, options }, runtime) {
    const { pluginDirectory, pluginState } = await import("../../setup/plugin/directory.ts");
    const { installPlugin, pluginFiles, uninstallPlugin } = await import("../../setup/plugin/plugin.ts");
    const { installedProgram, installProgram } = await import("../../setup/program/install-program.ts");
    const { host, paths } = runtime;
    const directory = pluginDirectory(paths.claudeDir);
    switch (action) {
      case undefined: {
        const state = { directory, installed: pluginState(directory) === "installed" };
        return printResult(runtime, options, state, renderPluginState);
      }
      case "install": {
        installProgram(host);
        const { supportsLaterEvents } = await import("../../setup/program/claude-version.ts");
        const files = pluginFiles(installedProgram(host), await supportsLaterEvents(host));
        const change = installPlugin(directory, files);
        return printResult(runtime, options, { directory, change }, renderPluginInstalled);
      }
      case "uninstall":
        return printResult(
          runtime,
          options,
          { directory, change: uninstallPlugin(directory) },
          renderPluginUninstalled,
        );
      case "path":
        if (pluginState(directory) !== "installed")
          throw new MementorError("not_found", `The plugin is not installed in ${directory}.`, {
            hint: 'Run "mementor plugin install" first.',
          });
        return printResult(runtime, options, { directory }, () => `${directory}\n`);
    }
  },
});

/** The directory of the plugin, and what changed there. */
interface PluginChange {
  directory: string;
  change: "created" | "updated" | "removed" | "unchanged";
}

const DONE = {
  created: "Installed the plugin in",
  updated: "Updated the plugin in",
  unchanged: "The plugin is already installed in",
  removed: "Removed the plugin from",
} as const;

/** Renders the result of an installation, and what happens next. */
function renderPluginInstalled({ directory, change }: PluginChange): string {
  return [
    `${DONE[change]} ${printable(directory)}.`,
    "Claude Code (2.1.157 or later) loads it at its next start: the skill memory, the command /mementor:recall, the memory's tools and the hooks.",
    'Hooks in settings take precedence over those of the plugin, so nothing runs twice. A project gets a memory with "mementor enable".',
    `With an older Claude Code, start it with: claude --plugin-dir ${shWord(printable(directory))}`,
    "",
  ].join("\n");
}

/** Renders the result of a removal. */
function renderPluginUninstalled({ directory, change }: PluginChange): string {
  const place = printable(directory);
  return change === "removed"
    ? `${DONE.removed} ${place}. The memory stays.\n`
    : `There is no plugin in ${place}.\n`;
}

/** Renders whether the plugin is installed, and what changes that. */
function renderPluginState(state: { directory: string; installed: boolean }): string {
  if (!state.installed)
    return "The plugin for Claude Code is not installed. To install it: mementor plugin install\n";
  return `The plugin for Claude Code is installed in ${printable(state.directory)}.\nTo remove it: mementor plugin uninstall\n`;
}
