import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { logFileOf } from "../log/log.ts";
import { readLog } from "../log/read.ts";
import { isAtLeast, renderLogLine } from "../render/log.ts";
import { styleFor } from "../render/style.ts";
import { printable } from "../text/printable.ts";
import type { RunCommand } from "./command.ts";
import { Flag, parseOptions, wholeNumber } from "./options.ts";

const LEVELS = ["error", "warn", "info", "debug"] as const;

const Options = v.object({
  follow: Flag,
  lines: v.optional(wholeNumber(0, 1_000_000), "50"),
  level: v.optional(v.picklist(LEVELS, `is one of ${LEVELS.join(", ")}`), "debug"),
  json: Flag,
});

export const run: RunCommand = async ({ options }, runtime) => {
  const { follow, lines, level, json } = parseOptions(Options, options);
  const { host, memory } = runtime;
  if (memory.directory === null)
    throw new MementorError("usage", "A database named with --db has no log.", {
      hint: "Run the command in the project without --db.",
    });
  const origin = await runtime.origin();
  if (origin === "foreign" || origin === "unmoved") throw await runtime.notReadable();
  const directory = join(memory.directory, "log");
  const style = styleFor(host.stdout, host.env);
  const signal = host.interrupted();
  let count = 0;
  for await (const line of readLog(directory, {
    follow,
    last: lines,
    signal,
    keep: (text) => isAtLeast(text, level),
  })) {
    host.stdout.write(json ? `${line}\n` : renderLogLine(line, style));
    count += 1;
  }
  if (count === 0 && !json)
    host.stderr.write(`Nothing was logged yet in ${printable(logFileOf(directory))}\n`);
  return 0;
};
