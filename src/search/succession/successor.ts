import type { Scored } from "../fusion.ts";
import { SUCCESSION } from "../weights.ts";
import { Comparison, type Statement, type SuccessionFeatures } from "./features.ts";
import { statementOf } from "./statement.ts";
import { wordsIn } from "./words.ts";

/** A later turn on the same matter as an older one. */
export interface Successor {
  scored: Scored;
  /** How likely what the older turn says no longer holds, by the fitted model. */
  probability: number;
  /** True when its words tell of a change: something ended, is now so, or has another quantity. */
  hasSign: boolean;
}

/** For each turn only so many later ones are compared, the best for the query. */
const MAX_LATER = 8;

/** Finds the later turns that most likely replaced what some turns say on the matter of a query. */
export class Successors {
  readonly #comparison: Comparison;
  readonly #words: readonly string[];
  readonly #pool: readonly Scored[];
  readonly #statements = new Map<Scored, Statement>();

  /** `pool` has the turns that were found, the best first. */
  constructor(query: string, pool: readonly Scored[]) {
    this.#comparison = new Comparison(query);
    this.#words = wordsIn(query).map(({ form }) => form);
    this.#pool = pool;
  }

  /** Returns the likeliest successor of a turn; null when no later turn was found. */
  of(older: Scored): Successor | null {
    const since = older.turn.createdAt;
    if (since === null) return null;
    const later = this.#pool.filter(({ turn }) => turn.createdAt !== null && turn.createdAt > since);
    return later.slice(0, MAX_LATER).reduce<Successor | null>((best, scored) => {
      const features = this.#features(older, scored);
      const probability = probabilityOf(features);
      return best === null || probability > best.probability
        ? { scored, probability, hasSign: hasSign(features) }
        : best;
    }, null);
  }

  #features(older: Scored, newer: Scored): SuccessionFeatures {
    return this.#comparison.features(this.#statement(older), this.#statement(newer));
  }

  #statement(scored: Scored): Statement {
    const known = this.#statements.get(scored) ?? statementOf(scored, this.#words);
    this.#statements.set(scored, known);
    return known;
  }
}

function hasSign({ change, promptChange, now, ended, otherQuantity }: SuccessionFeatures): boolean {
  return change + promptChange + now + ended + otherQuantity > 0;
}

/** Returns how likely a turn with these features replaced the older one, by the logistic model. */
export function probabilityOf(features: SuccessionFeatures): number {
  const { bias, ...weights } = SUCCESSION.model;
  const names = Object.keys(weights) as (keyof SuccessionFeatures)[];
  const logit = names.reduce<number>((sum, name) => sum + weights[name] * features[name], bias);
  return 1 / (1 + Math.exp(-logit));
}
