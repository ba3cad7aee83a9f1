import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { pluginFiles } from "../plugin/files.ts";
import { installPlugin, pluginDirectory, uninstallPlugin } from "../plugin/install.ts";
import { renderJson } from "../render/json.ts";
import {
  type PluginChange,
  pluginJson,
  renderPluginInstalled,
  renderPluginUninstalled,
} from "../render/plugin.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";

const Options = v.object({ json: Flag });

export const run: RunCommand = async ({ args, options }, { host, paths }) => {
  const { json } = parseOptions(Options, options);
  const directory = pluginDirectory(paths.claudeDir);
  const print = (done: PluginChange, text: (done: PluginChange) => string) => {
    host.stdout.write(json ? renderJson(pluginJson(done)) : text(done));
    return 0;
  };
  switch (args[0]) {
    case "install": {
      const change = installPlugin(directory, pluginFiles(host.platform, host.self));
      return print({ directory, change }, renderPluginInstalled);
    }
    case "uninstall":
      return print({ directory, change: uninstallPlugin(directory) }, renderPluginUninstalled);
    case "path":
      host.stdout.write(json ? renderJson({ directory }) : `${directory}\n`);
      return 0;
    default:
      throw new MementorError("usage", `There is no action "${args[0] ?? ""}".`, {
        hint: "Actions are install, uninstall and path.",
      });
  }
};
