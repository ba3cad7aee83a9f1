import { join } from "node:path";
import * as v from "valibot";
import { defineCommand } from "../command/command.ts";
import { flag } from "../command/option.ts";
import { oneOf, wholeNumber } from "../command/schema.ts";
import { LOG_LEVELS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { styleFor } from "../render/style.ts";
import { printable } from "../text/printable.ts";

export const command = defineCommand({
  name: "log",
  help: { group: "Set up", position: 6 },
  summary: "Show what the hooks and the background work have logged",
  arguments: {},
  options: {
    follow: flag("Keep printing new lines", "f"),
    lines: {
      short: "n",
      value: "n",
      description: "Number of lines, the latest (default: 50)",
      schema: v.optional(wholeNumber(0, 1_000_000), "50"),
    },
    level: {
      value: "level",
      description: "Only this level and more severe: error, warn, info or debug",
      schema: v.optional(oneOf(LOG_LEVELS), "debug"),
    },
    told: flag('What the hooks told agents, as "mementor told" lists it'),
    json: flag("Print the lines as they are in the file"),
  },
  examples: ["mementor log -f", "mementor log --level warn -n 10"],
  async run({ options: { follow, lines, level, told, json } }, runtime) {
    if (told) {
      const { followAnswers, showAnswers } = await import("./shared/answers.ts");
      return (follow ? followAnswers : showAnswers)(runtime, { limit: lines, json, pager: false });
    }
    const { readLog } = await import("../log/read.ts");
    const { answeredAt, isAtLeast, renderLogLine } = await import("../render/log.ts");
    const { numberedCalls } = await import("./shared/numbered-calls.ts");
    const { host, memory } = runtime;
    if (memory.directory === null)
      throw new MementorError("usage", "A database named with --db has no log.", {
        hint: "Run the command in the project without --db.",
      });
    const origin = await runtime.origin();
    if (origin === "foreign" || origin === "unmoved") throw await runtime.notReadable();
    const { notEnabled } = await import("../project/refusal.ts");
    const off = origin === "none" ? notEnabled(runtime.paths, runtime.project.root) : null;
    if (off !== null) throw off;
    const directory = join(memory.directory, "log");
    const style = styleFor(host.stdout, host.env);
    const signal = host.interrupted();
    const callOf = numberedCalls(runtime);
    let [count, others] = [0, 0];
    for await (const line of readLog(directory, {
      follow,
      last: lines,
      signal,
      keep: (text) => {
        const isKept = isAtLeast(text, level);
        if (!isKept) others += 1;
        return isKept;
      },
    })) {
      host.stdout.write(json ? `${line}\n` : renderLogLine(line, await callOf(answeredAt(line)), style));
      count += 1;
    }
    if (count > 0 || json || lines === 0) return 0;
    const { logFileOf } = await import("../log/log.ts");
    const file = printable(logFileOf(directory));
    const what = others > 0 ? `Nothing of level ${level} or more severe is logged` : "Nothing is logged yet";
    host.stderr.write(`${what} in ${file}\n`);
    return 0;
  },
});
