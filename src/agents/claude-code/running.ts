import { parseObject } from "../../transcript/json.ts";
import { wordsOf } from "../../transcript/transcript.ts";
import { tailOf } from "../files.ts";
import { contentOf } from "./content.ts";
import { type Entry, entryOf } from "./entry.ts";
import { isSynthetic, said } from "./speaker.ts";

/** What a session works on at this moment. */
export interface RunningTurn {
  prompt: string;
  /** What the agent said last before the prompt; empty at the start of a session. */
  before: string;
  /** What the agent said since, its thinking included. */
  said: string;
}

/** How much of the end of a transcript is read at first, and at most. */
const TAIL_BYTES = [256_000, 4_000_000] as const;
/** Words of the agent that are kept at each place, in UTF-16 units. */
const SAID_CHARS = 3_000;

/** Returns the turn that a transcript ends in; null when its end holds no prompt of a person. */
export function runningTurn(path: string): RunningTurn | null {
  for (const bytes of TAIL_BYTES) {
    const tail = tailOf(path, bytes);
    const found = lastTurn(tail.split("\n"));
    if (found !== null || tail.length < bytes / 4) return found;
  }
  return null;
}

function lastTurn(lines: readonly string[]): RunningTurn | null {
  const entries = lines
    .values()
    .map(mainEntry)
    .filter((entry) => entry !== null);
  const words = [...entries].map((entry) => ({ type: entry.type, ...wordsIn(entry) }));
  const at = words.findLastIndex(({ prompt }) => prompt !== null);
  const found = words[at]?.prompt;
  if (found == null) return null;
  const saidIn = (some: typeof words) =>
    some.flatMap(({ type, text }) => (type === "assistant" && text !== "" ? [text] : []));
  return {
    prompt: found,
    before: (saidIn(words.slice(0, at)).at(-1) ?? "").slice(-SAID_CHARS),
    said: saidIn(words.slice(at + 1))
      .join("\n")
      .slice(-SAID_CHARS),
  };
}

/** The agent's words in an entry, or the prompt of a person that it is. */
function wordsIn(entry: Entry): { text: string; prompt: string | null } {
  const { texts, results } = contentOf(entry);
  if (entry.type === "assistant") return { text: wordsOf(texts), prompt: null };
  const words = texts.length === 0 || results.length > 0 ? null : said(entry, texts, false);
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

/** Returns the outputs of failed calls in the end of a transcript, but for one call. */
export function recentFailures(path: string, exceptCallId: string | null): string[] {
  return tailOf(path, TAIL_BYTES[0])
    .split("\n")
    .filter((line) => /"is_error"\s*:\s*true/.test(line))
    .flatMap((line) => {
      const raw = parseObject(line);
      const entry = raw ? entryOf(raw) : null;
      if (entry === null || entry.isSidechain) return [];
      return contentOf(entry)
        .results.filter(({ isError, callId }) => isError && callId !== exceptCallId)
        .map(({ text }) => text);
    });
}
