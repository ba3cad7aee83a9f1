import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { jsonOption } from "../command/common-options.ts";
import { oneOf } from "../command/schema.ts";
import { MementorError } from "../errors.ts";
import type { PluginChange } from "../render/plugin.ts";
import { printResult } from "./shared/print.ts";

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
  async run({ args: { action }, options: { json } }, { host, paths }) {
    const { pluginDirectory, pluginState } = await import("../plugin/directory.ts");
    const { pluginFiles } = await import("../plugin/files.ts");
    const { installPlugin, uninstallPlugin } = await import("../plugin/install.ts");
    const { installedProgram, installProgram } = await import("../project/install-program.ts");
    const { pluginJson, renderPluginInstalled, renderPluginState, renderPluginUninstalled } = await import(
      "../render/plugin.ts"
    );
    const directory = pluginDirectory(paths.claudeDir);
    const print = (done: PluginChange, text: (done: PluginChange) => string) => {
      return printResult(host.stdout, json, pluginJson(done), () => text(done));
    };
    switch (action) {
      case undefined: {
        const isInstalled = pluginState(directory) === "installed";
        const shown = renderPluginState({ directory, isInstalled });
        return printResult(host.stdout, json, { directory, installed: isInstalled }, () => shown);
      }
      case "install": {
        installProgram(host);
        const { takesLaterEvents } = await import("../project/claude-version.ts");
        const files = pluginFiles(installedProgram(host), await takesLaterEvents(host));
        const change = installPlugin(directory, files);
        return print({ directory, change }, renderPluginInstalled);
      }
      case "uninstall":
        return print({ directory, change: uninstallPlugin(directory) }, renderPluginUninstalled);
      case "path":
        if (pluginState(directory) !== "installed")
          throw new MementorError("not_found", `The plugin is not installed in ${directory}.`, {
            hint: 'Run "mementor plugin install" first.',
          });
        return printResult(host.stdout, json, { directory }, () => `${directory}\n`);
    }
  },
});
