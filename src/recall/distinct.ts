import { NOTE } from "../constants.ts";
import type { StoredTurn } from "../store/stored.ts";
import { isSaid } from "../turn/text.ts";
import type { Scored } from "./fusion.ts";

/** Length of the texts' starts to compare. A resumed session repeats turns in full; only the end of the last one differs. */
const COMPARED_CHARS = 600;

/**
 * Keeps only the best of nearly identical turns, such as the copies in a resumed session, in the same order. A repeated prompt,
 * such as a review checklist, is no repeat if its answer differs.
 */
export function withoutRepeats(ranked: readonly Scored[]): { kept: Scored[]; repeats: Scored[] } {
  const seen = new Map<string, StoredTurn[]>();
  const kept: Scored[] = [];
  const repeats: Scored[] = [];
  for (const scored of ranked) {
    const { turn } = scored;
    const key = comparable(turn.text.slice(0, COMPARED_CHARS));
    const alike = seen.get(key) ?? [];
    // Short turns, such as "yes", have different meanings; a note is complete by itself.
    const saysAll = turn.text.length > COMPARED_CHARS / 2 || turn.client === NOTE.client;
    const isRepeat = saysAll && alike.some((each) => answerAlike(each, turn));
    (isRepeat ? repeats : kept).push(scored);
    if (!isRepeat) seen.set(key, [...alike, turn]);
  }
  return { kept, repeats };
}

/** Tells whether two turns have the same answer, up to the end of the shorter one, because a copy may end within its turn. */
function answerAlike(a: StoredTurn, b: StoredTurn): boolean {
  const [one, other] = [saidIn(a), saidIn(b)];
  if (one === "" || other === "") return one === other;
  return one.startsWith(other) || other.startsWith(one);
}

function saidIn({ text, parts }: StoredTurn): string {
  const said = parts.filter(({ kind }) => isSaid(kind)).map(({ start, end }) => text.slice(start, end));
  return comparable(said.join(" ")).trim();
}

function comparable(text: string): string {
  return text.replace(/\s+/g, " ").toLowerCase();
}

/** Tells whether only its session's access pattern led to a turn. */
export function isFoundByAccessAlone({ candidate }: Scored): boolean {
  return candidate.sources.size === 1 && candidate.sources.has("access");
}
