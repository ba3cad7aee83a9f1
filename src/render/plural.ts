/** Renders a count with its noun, `1 turn` or `2 turns`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
