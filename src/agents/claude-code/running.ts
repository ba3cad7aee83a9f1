import { joinTexts } from "../../ingest/transcript/transcript.ts";
import { asObject, asObjects, parseObject } from "../../io/json.ts";
import { readTail } from "../files.ts";
import { type Entry, entryTexts, parseEntry } from "./entry.ts";
import { classifyTexts, isSynthetic } from "./speaker.ts";

/** The current turn of a session. */
export interface RunningTurn {
  prompt: string;
  /** The agent's last words before the prompt; empty at the start of a session. */
  before: string;
  /** The agent's words since the prompt, including its thinking. */
  said: string;
}

/** Bytes to read from the end of a transcript, increasing until they contain a prompt. */
const TAIL_BYTES = [32_000, 256_000, 4_000_000] as const;
/** Length of the agent's words to keep in each place, in UTF-16 units. */
const SAID_CHARS = 3_000;

/** Returns the last turn of a transcript; null when its end contains no prompt of a person. */
export function runningTurn(path: string): RunningTurn | null {
  for (const bytes of TAIL_BYTES) {
    const tail = readTail(path, bytes);
    const found = lastTurn(tail.split("\n"));
    // The words before the prompt may be further up.
    const isWhole = found !== null && (found.before !== "" || bytes > TAIL_BYTES[0]);
    if (isWhole || tail.length < bytes / 4) return found;
  }
  return null;
}

/** Finds the last turn from the end, so that only its lines are parsed. */
function lastTurn(lines: readonly string[]): RunningTurn | null {
  const since: string[] = [];
  let asked: string | null = null;
  const turnAfter = (before: string) =>
    asked === null
      ? null
      : { prompt: asked, before: before.slice(-SAID_CHARS), said: since.join("\n").slice(-SAID_CHARS) };
  for (const line of lines.toReversed()) {
    const entry = mainEntry(line);
    if (entry === null) continue;
    const { text, prompt } = wordsIn(entry);
    const isSaid = entry.type === "assistant" && text !== "";
    if (asked !== null && isSaid) return turnAfter(text);
    if (isSaid) since.unshift(text);
    asked ??= prompt;
  }
  return turnAfter("");
}

/** Returns the agent's words in an entry, or a person's prompt. */
function wordsIn(entry: Entry): { text: string; prompt: string | null } {
  const texts = entryTexts(entry);
  if (entry.type === "assistant") return { text: joinTexts(texts), prompt: null };
  const words = texts.length === 0 ? null : classifyTexts(entry, texts, false);
  return { text: "", prompt: words?.kind === "prompt" ? words.text : null };
}

/** Parses a line only if it may contain words of the main conversation. */
function mainEntry(line: string): Entry | null {
  if (!/"type"\s*:\s*"(?:user|assistant)"/.test(line) || line.includes('"tool_use_id"')) return null;
  const raw = parseObject(line);
  const entry = raw ? parseEntry(raw) : null;
  if (entry === null || entry.isSidechain || isSynthetic(entry)) return null;
  return IS_SPOKEN.has(entry.type) ? entry : null;
}

const IS_SPOKEN: ReadonlySet<string> = new Set(["user", "assistant"]);

/** Bytes to read from the end of a transcript. A loop sets its next time at the end of each turn. */
const END_BYTES = 256_000;

/** Text in lines that set a timer, or were triggered by one. */
const TIMER = /"(?:ScheduleWakeup|CronCreate|wakeupSource)"/;

/**
 * Tells whether a timer triggered this prompt, according to the end of a session: the model set a timer with these words, or one
 * triggered them before. Claude Code 2.1.330 does not tell hooks where a prompt comes from.
 */
export function isWakeUp(path: string, prompt: string): boolean {
  const tail = readTail(path, END_BYTES);
  if (!TIMER.test(tail)) return false;
  return tail.split("\n").some((line) => TIMER.test(line) && promptsIn(line).includes(prompt));
}

/** Returns the prompts that an entry schedules for later, or got from a timer. */
function promptsIn(line: string): unknown[] {
  const entry = parseObject(line);
  const content: unknown = asObject(entry?.message)?.content;
  if (typeof content === "string") return "wakeupSource" in (entry ?? {}) ? [content] : [];
  return asObjects(content)
    .filter(({ type, name }) => type === "tool_use" && (name === "ScheduleWakeup" || name === "CronCreate"))
    .map(({ input }) => asObject(input)?.prompt);
}
