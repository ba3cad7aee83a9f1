import { groupedDigits } from "../text/count.ts";
/** Renders a count with its noun, `1 turn` or `2 turns`. */
export function plural(count: number, noun: string): string {
  return `${groupedDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}
