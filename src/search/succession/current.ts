import type { Scored } from "../fusion.ts";
import type { SearchHit } from "../hits.ts";
import { SUCCESSION } from "../weights.ts";
import { type Successor, Successors } from "./successor.ts";

/** A turn of an answer. */
export interface Current {
  scored: Scored;
  /** The turn that replaced it; null where none is known. */
  replacedBy: Scored | null;
  /** A later turn on the same matter that is not in the answer and may have replaced it. */
  later: Scored | null;
}

export interface CurrentOptions {
  /** How many turns at most, without those in `later`. */
  limit: number;
  /** Turns that the reader knows already: they are not added, nor is what they replaced. */
  isKnown?: (scored: Scored) => boolean;
}

/** A fact may be replaced more than once; so many times it is followed. */
const MAX_STEPS = 3;

/**
 * Completes an answer so that no turn is in it without the later one that replaced it. Where there is no room for both,
 * the later one stays. `pool` has all turns that were found, the best first.
 */
export function current(
  best: readonly Scored[],
  pool: readonly Scored[],
  query: string,
  { limit, isKnown = () => false }: CurrentOptions,
): Current[] {
  const successors = new Successors(query, pool);
  const answer = new Map<Scored, Current>();
  const add = (scored: Scored, known: Partial<Current> = {}) => {
    if (!answer.has(scored) && answer.size < limit)
      answer.set(scored, { scored, replacedBy: null, later: null, ...known });
  };
  for (const scored of best) {
    const next = successors.of(scored);
    if (next === null || !isReplacement(next)) {
      const later = besideOf(scored, next, successors);
      add(scored, { later: later !== null && isKnown(later) ? null : later });
      continue;
    }
    const replacedBy = latest(next.scored, successors);
    if (isKnown(replacedBy)) continue;
    const room = limit - answer.size - (answer.has(replacedBy) ? 0 : 1);
    if (room > 0) add(scored, { replacedBy });
    add(replacedBy);
  }
  return [...answer.values()].map((one) => ({
    ...one,
    later: one.later !== null && answer.has(one.later) ? null : one.later,
  }));
}

/** Adds to the hits of an answer by what they were replaced. */
export function withReplacements(hits: readonly SearchHit[], answer: readonly Current[]): SearchHit[] {
  const later = new Map(answer.map(({ scored, replacedBy }) => [scored.turn.turnId, replacedBy?.turn]));
  return hits.map((hit) => {
    const turn = later.get(hit.turn.turnId);
    return turn ? { ...hit, replacedBy: { turnId: turn.turnId, since: turn.createdAt } } : hit;
  });
}

/** Two turns may say different things about the same matter: without a sign of a change, both still hold. */
function isReplacement({ hasSign, probability }: Successor): boolean {
  return hasSign && probability >= SUCCESSION.replaces;
}

/**
 * Returns the later turn to tell beside an older one: one that may have replaced it, or one of another session that
 * changed the same file, since that may have replaced it in other words.
 */
function besideOf(older: Scored, next: Successor | null, successors: Successors): Scored | null {
  if (next !== null && next.probability >= SUCCESSION.beside) return next.scored;
  return successors.byFile(older);
}

/** Follows a turn to what replaced it. */
function latest(scored: Scored, successors: Successors): Scored {
  let last = scored;
  for (let step = 1; step < MAX_STEPS; step++) {
    const next = successors.of(last);
    if (next === null || !isReplacement(next)) break;
    last = next.scored;
  }
  return last;
}
