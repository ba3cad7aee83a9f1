import { groupedDigits } from "../text/count.ts";

/** Renders a count with its noun, `1 turn` or `2 turns`. */
export function plural(count: number, noun: string): string {
  return `${groupedDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Renders a number of chunks for people, who need not know what a chunk is. */
export function pieces(chunks: number): string {
  return `${plural(chunks, "piece")} of text`;
}
