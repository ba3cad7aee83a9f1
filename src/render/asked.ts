import { cutToWords } from "../text/width.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";
import type { Screen } from "./screen.ts";
import { renderWhen } from "./time.ts";

/** What an agent asked this memory. */
export interface Asked {
  sessionId: string;
  turnId: number;
  /** ISO 8601, of the end of the turn in which it was asked. */
  time: string;
  question: string;
  /** The whole answer; null where it is not known. */
  got: string | null;
}

/** A question of an agent as `--json` gives it. */
export function askedJson({ sessionId, turnId, time, question, got }: Asked) {
  return {
    time,
    session_id: sessionId,
    turn_id: turnId,
    question,
    got: got === null ? null : gotWords(got),
    turns: got === null ? null : namedIn(got),
  };
}

/** Renders what agents asked, and what they got; empty where none did. */
export function renderAsked(asked: readonly Asked[], { style, width, now }: Screen): string {
  if (asked.length === 0) return "";
  const rows = asked.map(({ time, question, got }) => {
    const head = `${renderWhen(time, now)}  ${got === null ? "asked" : gotWords(got)}`;
    const line = style.text(oneLine(question));
    return `${head}\n    ${width === null ? line : cutToWords(line, Math.max(1, width - 4), style.ellipsis)}\n`;
  });
  return `\n${style.bold("What agents asked this memory")}\n${rows.join("")}`;
}

/** Says what an answer told: which turns, and how sure it was. */
function gotWords(got: string): string {
  const turns = namedIn(got);
  const confidence = /\b(strong|likely|weak)\b/.exec(unquoted(got))?.[1];
  const sure = confidence === undefined ? "" : `, ${confidence}`;
  if (turns.length > 0) return `got ${plural(turns.length, "turn")}${sure}: ${turns.join(", ")}`;
  return /\bNothing\b/.test(got) ? "got nothing" : "got no turn";
}

function namedIn(got: string): number[] {
  const numbers = [...unquoted(got).matchAll(/\bturns? (\d{1,9})\b/g)].map(([, number]) => Number(number));
  return [...new Set(numbers)];
}

/** What was quoted may name other turns. */
function unquoted(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .join("\n");
}
