import { defineCommand } from "../command-line/command.ts";

/** The command that installers call, so that the first hook finds everything unpacked. */
export const command = defineCommand({
  name: "prepare",
  summary: "Unpack the libraries and the model, and renew the program that hooks start, and the plugin",
  arguments: {},
  options: {},
  examples: ["mementor prepare"],
  async run(_, runtime) {
    const { warmUp } = await import("../warm-up.ts");
    const { installedProgram, installProgram } = await import("../../setup/program/install-program.ts");
    const { statIfExists } = await import("../../io/read.ts");
    const { pluginDirectory } = await import("../../setup/plugin/directory.ts");
    const { renewedFiles } = await import("../../setup/plugin/plugin.ts");
    const { renewPlugin } = await import("../../setup/plugin/plugin.ts");
    const { keepPlace } = await import("../../project/data-place.ts");
    const { host, paths } = runtime;
    keepPlace(paths);
    if (statIfExists(installedProgram(host))) installProgram(host);
    const plugin = pluginDirectory(paths.claudeDir);
    renewPlugin(plugin, renewedFiles(plugin, installedProgram(host)));
    // Without a native runtime there is nothing to unpack: ingest reads the other one from the binary.
    if (!(await runtime.assets()).has("ort-binding")) return 0;
    const problem = await warmUp(runtime);
    if (problem === null) return 0;
    host.stderr.write(`${problem}\n`);
    return 1;
  },
});
