import { join } from "node:path";
import { oneLine } from "../../agents/notices.ts";
import { LOG_LEVELS } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import { logFilePath } from "../../project/log.ts";
import { readLog } from "../../project/read-log.ts";
import type { Runtime } from "../../runtime.ts";
import type { NumberedCall } from "../../store/journal.ts";
import { printable } from "../../text/invisible.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  allProjectsOption,
  flag,
  labelSchema,
  oneOf,
  optional,
  rows,
  valued,
  viewOptions,
  wholeNumber,
} from "../command-line/option.ts";
import { type Style, styleFor } from "../terminal/screen.ts";
import { decisionWord, hookTime } from "./told/text.ts";

/** The error for what cannot be done in all projects at once: to follow new answers, or to print one. */
function notInAll(number: number | undefined): MementorError {
  const what = number === undefined ? "--follow works" : "The number of an answer counts";
  return new MementorError("usage", `${what} in one project only, not with --all-projects.`, {
    hint: `Name the project: mementor -C ../api told ${number ?? "-f"}`,
  });
}

export const command = defineCommand({
  name: "told",
  help: { group: "Ask", position: 8 },
  summary: "List what hooks told agents, why they were silent, and what agents asked",
  arguments: { number: optional("number", wholeNumber(1)) },
  options: {
    limit: rows,
    session: valued("id", "Only this session; the start of its id is enough", labelSchema()),
    allProjects: allProjectsOption,
    follow: flag("Keep printing new answers, or new lines of the log", "f"),
    log: flag("Show what the hooks and the background work have logged instead"),
    level: valued(
      "level",
      "With --log: only this level and more severe: error, warn, info or debug",
      oneOf(LOG_LEVELS),
    ),
    ...viewOptions,
  },
  examples: ["mementor told", "mementor told 12", "mementor told -f", "mementor told --log --level warn"],
  printsData: ({ words }, isTerminal) => words.length > 0 && !isTerminal,
  async run({ args: { number }, options }, runtime) {
    if (options.log) {
      if (number !== undefined || options.session !== undefined || options.allProjects)
        throw new MementorError("usage", "--log shows the log of this project, and no answers.", {
          hint: "Leave out the number, --session and --all-projects.",
        });
      return showLog(runtime, { ...options, level: options.level ?? "debug" });
    }
    if (options.level !== undefined)
      throw new MementorError("usage", "--level is for the log.", {
        hint: "mementor told --log --level warn",
      });
    if (options.allProjects) {
      if (number !== undefined || options.follow) throw notInAll(number);
      const { listAnswers } = await import("./told/answers.ts");
      return listAnswers(runtime, options);
    }
    const { followAnswers, showAnswer, showAnswers } = await import("./told/answers.ts");
    if (number !== undefined) return showAnswer(runtime, number, options);
    return options.follow ? followAnswers(runtime, options) : showAnswers(runtime, options);
  },
});

/** What of the log is shown. */
interface Shown {
  limit: number;
  level: LogLine["level"];
  follow: boolean;
  json: boolean;
}

/** Shows what the hooks and the background work have logged. */
async function showLog(runtime: Runtime, { limit, level, follow, json }: Shown): Promise<number> {
  const { notEnabled } = await import("../../project/refusal.ts");
  const { host, memory } = runtime;
  if (memory.directory === null)
    throw new MementorError("usage", "A database named with --db has no log.", {
      hint: "Run the command in the project without --db.",
    });
  const origin = await runtime.origin();
  if (origin === "foreign" || origin === "unmoved") throw await runtime.notReadable();
  const off = origin === "none" ? notEnabled(runtime.paths, runtime.project.root) : null;
  if (off !== null) throw off;
  const directory = join(memory.directory, "log");
  const style = styleFor(host.stdout, host.env);
  const signal = host.interrupted();
  const callOf = numberedCalls(runtime);
  let [count, others] = [0, 0];
  const keep = (text: string) => {
    const isKept = isAtLeast(text, level);
    if (!isKept) others += 1;
    return isKept;
  };
  for await (const line of readLog(directory, { follow, last: limit, signal, keep })) {
    host.stdout.write(json ? `${line}\n` : renderLogLine(line, await callOf(answeredAt(line)), style));
    count += 1;
  }
  if (count > 0 || json) return 0;
  const file = printable(logFilePath(directory));
  const what = others > 0 ? `Nothing of level ${level} or more severe is logged` : "Nothing is logged yet";
  host.stderr.write(`${what} in ${file}\n`);
  return 0;
}

/**
 * Returns a lookup from the time of a hook's answer (ISO 8601) to the call's number in `mementor told` and its file; null for an
 * unknown time. Rereads the memory only for later times.
 */
function numberedCalls(runtime: Runtime): (at: string | null) => Promise<NumberedCall | null> {
  const calls = new Map<string, NumberedCall>();
  let readUntil = "";
  return async (at) => {
    if (at === null) return null;
    if (!calls.has(at) && at > readUntil) {
      readUntil = runtime.host.now().toISOString();
      for (const [time, call] of await callsSince(at, runtime)) calls.set(time, call);
    }
    return calls.get(at) ?? null;
  };
}

/** The log is also there where the memory cannot be read. */
async function callsSince(at: string, runtime: Runtime): Promise<ReadonlyMap<string, NumberedCall>> {
  const { storeWaiting } = await import("../memory.ts");
  try {
    await storeWaiting(runtime);
    const store = await runtime.openStore("readonly");
    return await store.journal.numberedCalls(at).finally(() => store.close());
  } catch {
    return new Map();
  }
}

/** A parsed line of the log. */
interface LogLine {
  time: string;
  level: (typeof LOG_LEVELS)[number];
  event: string;
  facts: Record<string, unknown>;
}

/** Parses a line of the log; null when it is invalid. */
export function parseLogLine(text: string): LogLine | null {
  try {
    const { time, level, event, pid: _pid, ...facts } = JSON.parse(text) ?? {};
    const known = LOG_LEVELS.find((name) => name === level);
    return known && typeof time === "string" && typeof event === "string"
      ? { time, level: known, event, facts }
      : null;
  } catch {
    return null;
  }
}

/** Tells whether a line has this level or a more severe one. */
function isAtLeast(text: string, level: LogLine["level"]): boolean {
  const line = parseLogLine(text);
  return line !== null && LOG_LEVELS.indexOf(line.level) <= LOG_LEVELS.indexOf(level);
}

/** When the hook's answer was given that a line is about (ISO 8601); null for other lines, and those of older versions. */
function answeredAt(text: string): string | null {
  const line = parseLogLine(text);
  return line?.event === "hook" && typeof line.facts.at === "string" ? line.facts.at : null;
}

/**
 * Renders a line of the log for people: local time, level, event, facts; before those of a hook, the number of its
 * call, as "mementor told" knows it, and after them its file (null: not known). Shows an invalid line as it is.
 */
export function renderLogLine(text: string, call: NumberedCall | null, style: Style): string {
  const line = parseLogLine(text);
  if (!line) return `${printable(text)}\n`;
  const paint = { error: style.red, warn: style.yellow, info: style.green, debug: style.dim }[line.level];
  const facts =
    hookFacts(line) ??
    Object.entries(line.facts).flatMap(([name, value]) => {
      const shown = renderFact(value);
      return shown === "" ? [] : [`${style.dim(`${name}=`)}${shown}`];
    });
  const head = `${style.dim(localTime(line.time))} ${paint(line.level.padEnd(5))} ${printable(line.event)}`;
  const number = call === null ? [] : [style.cyan(`#${call.id}`)];
  const file = call === null || call.subject === null ? [] : [oneLine(call.subject)];
  return `${[head, ...number, ...facts, ...file].join("  ")}\n`;
}

/** The facts of a hook's line, with the words and the time that "mementor told" shows; null for other lines. */
function hookFacts({ event, facts }: LogLine): string[] | null {
  const { hook, decision, ms } = facts;
  if (event !== "hook" || typeof decision !== "string" || typeof ms !== "number") return null;
  return [renderFact(hook), decisionWord(decision.replaceAll("-", " ")), hookTime(ms)];
}

/** Renders a value in words; an empty value, such as an empty list, as nothing. */
function renderFact(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return /^[\w./:@-]+$/.test(value) ? value : printable(JSON.stringify(value));
  if (typeof value !== "object") return `${value}`;
  if (Array.isArray(value)) return value.map(renderFact).filter(Boolean).join(", ");
  if ("message" in value && typeof value.message === "string") return printable(value.message);
  return Object.entries(value)
    .map(([name, inner]) => [printable(name), renderFact(inner)])
    .filter(([, inner]) => inner !== "")
    .map((pair) => pair.join(" "))
    .join(", ");
}

function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return printable(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
