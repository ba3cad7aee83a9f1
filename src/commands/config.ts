import { join } from "node:path";
import * as v from "valibot";
import { configEntries } from "../config/config.ts";
import { statIfExists } from "../io/read.ts";
import { TREE_CONFIG, treeDirectory } from "../project/tree.ts";
import { renderConfig } from "../render/config.ts";
import { renderResult } from "../render/result.ts";
import { styleFor } from "../render/style.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";

const Options = v.object({ json: Flag });

export const run: RunCommand = async ({ options }, runtime) => {
  const { json } = parseOptions(Options, options);
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
  const report = { files, settings: configEntries(loaded), problems: loaded.problems };
  host.stdout.write(json ? renderResult(report) : renderConfig(report, styleFor(host.stdout, host.env)));
  return 0;
};
