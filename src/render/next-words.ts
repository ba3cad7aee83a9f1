import type { Quotation } from "../search/matter/quotation.ts";
import { onOneLine } from "../text/one-line.ts";
import { cutAtWord } from "../text/shorten.ts";
import { type AgentText, named, tell } from "./agent-text.ts";
import { harmless } from "./hooks/frame.ts";
import { speakerOf } from "./speaker.ts";

/** Characters of what the user said next: a longer prompt says in its first words what it makes of the answer. */
const NEXT_CHARS = 130;

/** What the user said next after an agent's words, on one line with who said it; null where nothing is known to follow. */
export function nextWords({ turn, next }: Quotation): { speaker: string; words: string } | null {
  if (next === null) return null;
  const day = next.at?.slice(0, 10);
  const on = day === undefined || day === turn.createdAt?.slice(0, 10) ? "" : ` on ${day}`;
  const line = onOneLine(harmless(next.text));
  const words = line.length <= NEXT_CHARS ? line : cutAtWord(line, NEXT_CHARS);
  const said =
    next.turn === null
      ? { kind: "forward" as const, text: next.text, turn }
      : { kind: "prompt" as const, text: next.text, turn: next.turn };
  return words === "" ? null : { speaker: `next${on}, ${speakerOf(said)}`, words };
}

/** The same for an agent, after the words that are quoted; empty where nothing is known to follow. */
export function tellNext(quoted: Quotation, say: (words: string) => AgentText): AgentText {
  const next = nextWords(quoted);
  return next === null ? tell`` : tell` — ${named(next.speaker)}: "${say(next.words)}"`;
}
