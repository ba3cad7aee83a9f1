import { wordsOf } from "../../ingest/transcript/transcript.ts";
import { objectOf, objectsOf, parseObject } from "../../io/json.ts";
import { tailOf } from "../files.ts";
import { type Entry, entryOf, textsOf } from "./entry.ts";
import { isSynthetic, said } from "./speaker.ts";

/** What a session works on at this moment. */
export interface RunningTurn {
  prompt: string;
  /** What the agent said last before the prompt; empty at the start of a session. */
  before: string;
  /** What the agent said since, its thinking included. */
  said: string;
}

/** How much of the end of a transcript is read: more each time as long as it holds no prompt. */
const TAIL_BYTES = [32_000, 256_000, 4_000_000] as const;
/** Words of the agent that are kept at each place, in UTF-16 units. */
const SAID_CHARS = 3_000;

/** Returns the turn that a transcript ends in; null when its end holds no prompt of a person. */
export function runningTurn(path: string): RunningTurn | null {
  for (const bytes of TAIL_BYTES) {
    const tail = tailOf(path, bytes);
    const found = lastTurn(tail.split("\n"));
    // What was said before the prompt may stand further up.
    const isWhole = found !== null && (found.before !== "" || bytes > TAIL_BYTES[0]);
    if (isWhole || tail.length < bytes / 4) return found;
  }
  return null;
}

/** Reads from the end, so that only the lines of the last turn are parsed. */
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

/** The agent's words in an entry, or the prompt of a person that it is. */
function wordsIn(entry: Entry): { text: string; prompt: string | null } {
  const texts = textsOf(entry);
  if (entry.type === "assistant") return { text: wordsOf(texts), prompt: null };
  const words = texts.length === 0 ? null : said(entry, texts, false);
  return { text: "", prompt: words?.kind === "prompt" ? words.text : null };
}

/** Only lines that may hold words of the main conversation are parsed. */
function mainEntry(line: string): Entry | null {
  if (!/"type"\s*:\s*"(?:user|assistant)"/.test(line) || line.includes('"tool_use_id"')) return null;
  const raw = parseObject(line);
  const entry = raw ? entryOf(raw) : null;
  if (entry === null || entry.isSidechain || isSynthetic(entry)) return null;
  return IS_SPOKEN.has(entry.type) ? entry : null;
}

const IS_SPOKEN: ReadonlySet<string> = new Set(["user", "assistant"]);

/** How much of the end of a transcript is read: a loop sets its next time at the end of each turn. */
const END_BYTES = 256_000;

/** What a line has that sets a timer, or that one brought. */
const TIMER = /"(?:ScheduleWakeup|CronCreate|wakeupSource)"/;

/**
 * Whether the end of a session says that a timer brings this prompt: the model set it with these words, or it came so
 * before. Claude Code 2.1.330 gives hooks no source of a prompt.
 */
export function isWakeUp(path: string, prompt: string): boolean {
  const tail = tailOf(path, END_BYTES);
  if (!TIMER.test(tail)) return false;
  return tail.split("\n").some((line) => TIMER.test(line) && promptsIn(line).includes(prompt));
}

/** Returns the prompts that an entry sets for later, or brings from a timer. */
function promptsIn(line: string): unknown[] {
  const entry = parseObject(line);
  const content: unknown = objectOf(entry?.message)?.content;
  if (typeof content === "string") return "wakeupSource" in (entry ?? {}) ? [content] : [];
  return objectsOf(content)
    .filter(({ type, name }) => type === "tool_use" && (name === "ScheduleWakeup" || name === "CronCreate"))
    .map(({ input }) => objectOf(input)?.prompt);
}
