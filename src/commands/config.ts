import { join } from "node:path";
import * as v from "valibot";
import { configEntries } from "../config/config.ts";
import { statIfExists } from "../io/read.ts";
import { renderConfig } from "../render/config.ts";
import { renderResult } from "../render/result.ts";
import { styleFor } from "../render/style.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions } from "./options.ts";

const Options = v.object({ json: Flag });

export const run: RunCommand = async ({ options }, runtime) => {
  const { json } = parseOptions(Options, options);
  const { host, paths, memory } = runtime;
  const loaded = await runtime.config();
  const isOwn = memory.directory !== null && (await runtime.origin()) !== "foreign";
  const files = [paths.configDir, ...(isOwn && memory.directory ? [memory.directory] : [])].map(
    (directory) => {
      const file = join(directory, "config.json");
      return { file, exists: statIfExists(file) !== null };
    },
  );
  const report = { files, settings: configEntries(loaded), problems: loaded.problems };
  host.stdout.write(json ? renderResult(report) : renderConfig(report, styleFor(host.stdout, host.env)));
  return 0;
};
