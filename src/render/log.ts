import { LOG_LEVELS } from "../constants.ts";
import type { NumberedCall } from "../store/contract/types/journal.ts";
import { printable } from "../text/printable.ts";
import { decisionWord, hookTime } from "./answers.ts";
import { oneLine } from "./list.ts";
import type { Style } from "./style.ts";

/** A parsed line of the log. */
export interface LogLine {
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

/** Whether a line has this level or a more severe one. */
export function isAtLeast(text: string, level: LogLine["level"]): boolean {
  const line = parseLogLine(text);
  return line !== null && LOG_LEVELS.indexOf(line.level) <= LOG_LEVELS.indexOf(level);
}

/** When the hook's answer was given that a line is about (ISO 8601); null for other lines, and those of older versions. */
export function answeredAt(text: string): string | null {
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

/** What a value says, in words; empty for what says nothing, such as an empty list. */
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
