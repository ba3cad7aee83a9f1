import type { Held } from "../store/stored.ts";
import { groupedDigits } from "../text/numbers.ts";

/** Renders a count with its noun, `1 turn` or `2 turns`. */
export function plural(count: number, noun: string): string {
  return `${groupedDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Renders a number of chunks for people, who need not know what a chunk is. */
export function pieces(chunks: number): string {
  return `${plural(chunks, "piece")} of text`;
}

/** Says what a memory or a part of it holds, such as "158 turns of 24 sessions, 4 notes". */
export function heldWords({ turns, sessions, notes }: Held): string {
  const noted = notes > 0 && plural(notes, "note");
  const said = (turns > 0 || !noted) && `${plural(turns, "turn")} of ${plural(sessions, "session")}`;
  return [said, noted].filter(Boolean).join(", ");
}
