import type { Scored } from "../fusion.ts";
import { SUCCESSION } from "../weights.ts";
import { Comparison, SLOW_FEATURES, type Statement, type SuccessionFeatures } from "./features.ts";
import { changedFiles, statementOf } from "./statement.ts";
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
/** So many more are compared because they changed the same file: their words may be far from the query. */
const MAX_BY_FILE = 4;
/** A file that more of the turns found changed belongs to no one matter. */
const MAX_CHANGES = 5;

/** The values of the slow features at which a replacement is likeliest. */
const LIKELIEST = {
  change: likeliestValue("change"),
  promptChange: likeliestValue("promptChange"),
  now: likeliestValue("now"),
  ended: likeliestValue("ended"),
  kept: likeliestValue("kept"),
  newNames: likeliestValue("newNames"),
  sameQuantity: likeliestValue("sameQuantity"),
  otherQuantity: likeliestValue("otherQuantity"),
};

function likeliestValue(name: keyof typeof SLOW_FEATURES): number {
  return SUCCESSION.model[name] > 0 ? SLOW_FEATURES[name] : 0;
}

/** Finds the later turns that most likely replaced what some turns say on the matter of a query. */
export class Successors {
  readonly #comparison: Comparison;
  readonly #words: readonly string[];
  readonly #pool: readonly Scored[];
  readonly #statements = new Map<Scored, Statement>();
  #changes: ReadonlyMap<string, readonly Scored[]> | null = null;

  /** `pool` has the turns that were found, the best first. */
  constructor(query: string, pool: readonly Scored[]) {
    this.#comparison = new Comparison(query);
    this.#words = wordsIn(query).map(({ form }) => form);
    this.#pool = pool;
  }

  /** Returns the likeliest successor of a turn; null when no later turn that was found is likely enough to matter. */
  of(older: Scored): Successor | null {
    const isLater = laterThan(older);
    const best = this.#pool.filter(isLater).slice(0, MAX_LATER);
    const byFile = this.#changingFilesOf(older).filter((scored) => isLater(scored) && !best.includes(scored));
    return [...best, ...byFile.slice(0, MAX_BY_FILE)].reduce<Successor | null>((likeliest, scored) => {
      if (!this.#mayMatter(older, scored)) return likeliest;
      const features = this.#features(older, scored);
      const probability = probabilityOf(features);
      return likeliest === null || probability > likeliest.probability
        ? { scored, probability, hasSign: hasSign(features) }
        : likeliest;
    }, null);
  }

  /** Returns the best later turn of another session that changed a file of this turn, or names it; null without one. */
  byFile(older: Scored): Scored | null {
    const { files, sessionId } = this.#statement(older);
    if (files.length === 0) return null;
    const later = this.#pool.filter(laterThan(older)).filter(({ turn }) => turn.sessionId !== sessionId);
    const changing = new Set(this.#changingFilesOf(older));
    const naming = (scored: Scored) => {
      const answer = this.#statement(scored).answer.toLowerCase();
      return files.some((file) => names(answer, file));
    };
    return later.find((scored, i) => changing.has(scored) || (i < MAX_LATER && naming(scored))) ?? null;
  }

  /** Returns the turns that changed a file which this one and few others changed, the best first. */
  #changingFilesOf(older: Scored): Scored[] {
    const { files } = this.#statement(older);
    if (files.length === 0) return [];
    this.#changes ??= changesIn(this.#pool);
    const changing = new Set(files.flatMap((file) => this.#changes?.get(file) ?? []));
    return this.#pool.filter((scored) => scored !== older && changing.has(scored));
  }

  /** Whether the probability could reach the lowest one that has an effect. To find out takes a fraction of the time. */
  #mayMatter(older: Scored, newer: Scored): boolean {
    const quick = this.#comparison.quickFeatures(this.#statement(older), this.#statement(newer));
    return probabilityOf({ ...quick, ...LIKELIEST }) >= SUCCESSION.beside;
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

function laterThan(older: Scored): (scored: Scored) => boolean {
  const since = older.turn.createdAt;
  return ({ turn }) => since !== null && turn.createdAt !== null && turn.createdAt > since;
}

/** Returns which turns changed each file, without files that many of them changed. */
function changesIn(pool: readonly Scored[]): Map<string, Scored[]> {
  const changes = new Map<string, Scored[]>();
  for (const scored of pool)
    for (const file of new Set(changedFiles(scored.turn))) {
      const known = changes.get(file);
      if (known) known.push(scored);
      else changes.set(file, [scored]);
    }
  for (const [file, turns] of changes) if (turns.length > MAX_CHANGES) changes.delete(file);
  return changes;
}

/** Shorter names, such as `a.ts`, stand in other names. */
const MIN_NAME_CHARS = 6;

/** Whether a text, in lower case, holds the name of a file. */
function names(text: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1).toLowerCase();
  return name.length >= MIN_NAME_CHARS && text.includes(name);
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
