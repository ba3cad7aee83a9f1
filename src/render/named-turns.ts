/** How a text for an agent names turns: `turn 12`, `turns 12, 13`, and the command that prints one. */
const NAMED = /\b(?:turns?|show) (\d+(?:, \d+)*)/g;

/** Returns the numbers of the turns that a text for an agent names. */
export function namedTurns(text: string): Set<number> {
  return new Set([...text.matchAll(NAMED)].flatMap(([, numbers = ""]) => numbers.split(", ").map(Number)));
}

/** How many turns of related projects a text for an agent quotes. They have numbers of their own memories. */
export function countRelatedTurns(text: string): number {
  return text.match(/^## From project /gm)?.length ?? 0;
}
