import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import { statIfExists } from "../../io/read.ts";
import { TREE_CONFIG, treeDirectory } from "../../project/tree.ts";
import { defineCommand } from "../definition/command.ts";
import { jsonOption } from "../definition/common-options.ts";
import { flag, list, oneOf, optional } from "../definition/option.ts";

export const command = defineCommand({
  name: "config",
  help: { group: "Set up", position: 5 },
  summary: "Show every setting with its value and its source; get, set, unset, edit",
  arguments: {
    action: optional("action", oneOf(["list", "get", "set", "unset", "edit"])),
    words: list("setting"),
  },
  actions: [
    [
      "list",
      "Show every setting with its value, its meaning and where it comes from; also without an action",
    ],
    ["get <setting>", "Print the value of a setting"],
    ["set <setting> <value...>", "Set it; a list takes several values"],
    ["unset <setting>", "Take it out of the file again"],
    ["edit", "Open the file in your editor"],
  ],
  options: {
    user: flag("The settings of all your projects, not of this one"),
    json: jsonOption,
  },
  examples: [
    "mementor config",
    "mementor config get search.k",
    "mementor config set search.k 5",
    'mementor config set exclude.paths "dist/**" "*.snap"',
    "mementor config unset search.k --user",
    "mementor config edit",
    "MEMENTOR_SEARCH_K=5 mementor config",
  ],
  printsData: ({ words: [action] }) => action === "get",
  async run({ args: { action, words }, options }, runtime) {
    if (action === "edit") {
      const { editSettings } = await import("./config/actions.ts");
      return editSettings(runtime, options.user);
    }
    if (action === "get") {
      const { printSetting } = await import("./config/actions.ts");
      return printSetting(runtime, words, options);
    }
    if (action === "set" || action === "unset") {
      const { changeSetting } = await import("./config/actions.ts");
      const [key, ...values] = words;
      return changeSetting(runtime, key, action === "set" ? values : null, options);
    }
    const [key] = words;
    if (key !== undefined)
      throw new MementorError("usage", '"mementor config list" takes no setting.', {
        hint: `To see one: mementor config get ${key}`,
      });
    const { configEntries } = await import("../../config/config.ts");
    const { configProblems } = await import("../config-problems.ts");
    const { printResult } = await import("../terminal/ask.ts");
    const { renderConfig } = await import("./config/text.ts");
    const { styleFor } = await import("../../render/style.ts");
    const { host, paths, memory, project } = runtime;
    const loaded = await runtime.config();
    const isOwn = memory.directory !== null && (await runtime.origin()) === "own";
    const tree = treeDirectory(project.root);
    const directories =
      isOwn && memory.directory ? [paths.configDir, memory.directory, tree] : [paths.configDir, tree];
    const files = directories.map((directory) => {
      const file = join(directory, TREE_CONFIG);
      return { file, exists: statIfExists(file) !== null };
    });
    const report = { files, settings: configEntries(loaded), problems: await configProblems(runtime) };
    return printResult(host.stdout, options.json, report, () =>
      renderConfig(report, { style: styleFor(host.stdout, host.env), width: host.stdout.columns }),
    );
  },
});
