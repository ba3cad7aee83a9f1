import type { Filter } from "../store/filter.ts";
import type { SearchStore } from "../store/store.ts";
import { folded } from "../text/fold.ts";
import { addCandidate, CANDIDATES, type Candidate } from "./candidates.ts";
import type { Scored } from "./fusion.ts";
import { type GateMemory, judgeHits, type MeasureCache } from "./gate.ts";
import type { QueryParts } from "./query.ts";
import { wordForm } from "./word-form.ts";

/** Certainty that a result, or the answer as a whole, is what the query asks for. */
export type Confidence = (typeof CONFIDENCES)[number];

/** The levels, from the least to the most certain. */
export const CONFIDENCES = ["weak", "likely", "strong"] as const;

/** Thresholds for the probability of the gate's model, lower than those of a hook, which interrupts. */
const LIKELY = 0.5;
const STRONG = 0.85;
/**
 * Weights for how much an answer stands out: how much more of its first matter was found than of the second, in nats up to
 * `most`, and how many more of the question's words it has. Both are added to the logit of the probability; from a sum of
 * `likely` on, the answer is likely. Chosen on half of 66 questions of agents and of 240 about three other histories. On the
 * other half 15 of 16 likely answers of agents' questions have the right conversation first (12 of 14 without the words), and 46
 * of 61 of the others (48 of 64); of 90 questions about something else 5 are likely.
 */
const STANDING_OUT = { weight: 6, words: 6, most: Math.log(3), likely: 3 } as const;
/** Threshold for passages with only part of the query's words. */
const CERTAIN = 0.985;
/**
 * Shares of the query's words, weighted by rarity, that count as nearly all and as most of them. The missing words of a question
 * are often its subject, and the memory has only the words around it.
 */
const HELD = { all: 0.9, most: 0.6 } as const;
/** Number of best results to examine. */
const LOOKED_AT = 5;
/** Maximum words of a query that only asks for their places. */
const LOOKUP_WORDS = 2;
/** Rarity in nats of a word that one in several dozen general texts contains. A turn does not contain such a word by chance. */
const RARE = 4;

/** Returns the lower of two ratings, because no result is more certain than its whole answer. */
export function leastConfident(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) < CONFIDENCES.indexOf(b) ? a : b;
}

/** Sorts the best results by confidence. Equally certain ones keep their order. */
export function surestFirst<Row>(rows: readonly Row[], confidenceOf: (row: Row) => Confidence): Row[] {
  const place = (row: Row) => CONFIDENCES.indexOf(confidenceOf(row));
  return rows.toSorted((a, b) => place(b) - place(a));
}

/** Rates the results, best first, as one answer, by the gate's model. */
export function rateConfidence(
  ranked: readonly Scored[],
  query: QueryParts,
  memory: GateMemory,
  { measures, matters }: { measures?: MeasureCache; matters?: readonly Weighed[] | undefined } = {},
): Confidence {
  const best = ranked[0];
  if (best === undefined) return "weak";
  const { probability } = judgeHits(ranked, query, memory, "normal", measures);
  if (isStrong(ranked, query, probability)) return "strong";
  const isNamed = ranked.some(({ candidate }) => candidate.references > 0);
  const isLikely = matters === undefined ? probability >= LIKELY : isStandingOut(probability, query, matters);
  return isNamed || isLikely || ranked.some((scored) => holdsAll(scored, query)) ? "likely" : "weak";
}

/** A matter with its weight, by its found turns, and what was said in its conversations. */
interface Weighed {
  weight: number;
  states: readonly { conversation: { turns: readonly { text: string }[] } }[];
}

/** Tells whether the first matter is likely the requested one: it is probable enough, or stands out enough. */
function isStandingOut(probability: number, query: QueryParts, [first, second]: readonly Weighed[]): boolean {
  if (first === undefined) return false;
  const { weight, words, most, likely } = STANDING_OUT;
  const ratio = second === undefined ? most : Math.log(first.weight / second.weight);
  const logit = Math.log(probability / (1 - probability));
  const held = ({ states }: Weighed) =>
    rarityHeld(
      query,
      states.flatMap(({ conversation }) => conversation.turns.map(({ text }) => text)).join("\n"),
    );
  const more = held(first) - (second === undefined ? 0 : held(second));
  return logit + weight * Math.min(most, Math.max(0, ratio)) + words * more >= likely;
}

/**
 * Tells whether the model is certain, and one passage has the query's words together. Words of the next prompt do not count: it
 * asks, and its answer is in its own turn.
 */
function isStrong(ranked: readonly Scored[], query: QueryParts, probability: number): boolean {
  if (probability < STRONG) return false;
  const held = Math.max(...ranked.slice(0, LOOKED_AT).map(({ ownPassage }) => rarityHeld(query, ownPassage)));
  return held >= (probability >= CERTAIN ? HELD.most : HELD.all);
}

/** Returns the share of the query's words that a text contains, weighted by rarity. */
function rarityHeld({ terms }: QueryParts, text: string): number {
  const lower = folded(text);
  // The index also has `go-git` as one word.
  const joined = lower.replace(/[-._]/g, "");
  let [held, total] = [0, 0];
  for (const { term, rarity } of terms) {
    const form = wordForm(term);
    total += rarity;
    if (lower.includes(form) || joined.includes(form)) held += rarity;
  }
  return total === 0 ? 0 : held / total;
}

/** Tells whether a turn and its session's title together contain all words. */
function holdsWithTitle({ turnId, sessionTitle }: Scored["turn"], terms: QueryParts["terms"]): boolean {
  return terms.every(({ term, turnIds }) => turnIds?.includes(turnId) || isTitled(sessionTitle ?? "", term));
}

/**
 * Tells whether a turn has every word of a short look-up query, or of one with a rare word. The two words of a query must stand
 * close together. The gate's model cannot judge such queries.
 */
function holdsAll({ turn, candidate }: Scored, { text, terms }: QueryParts): boolean {
  if (candidate.sources.has("title") && holdsWithTitle(turn, terms)) return true;
  const typed = text.trim().split(/\s+/);
  const isLookup = typed.length <= LOOKUP_WORDS;
  if (isLookup && candidate.files > 0) return true;
  if (terms.length === 0 || !(isLookup || terms.some(({ rarity }) => rarity >= RARE))) return false;
  const indexed = terms.filter(({ turnIds }) => turnIds !== null);
  if (!indexed.every(({ turnIds }) => turnIds?.includes(turn.turnId))) return false;
  const [first, second] = typed;
  if (isLookup && first !== undefined && second !== undefined && terms.length > 1)
    return standTogether(first, second, turn.text);
  const others = terms.filter(({ turnIds }) => turnIds === null);
  // Folding the case of a long turn is expensive, and few turns come this far.
  const lower = others.length === 0 ? "" : folded(turn.text);
  return others.every(({ term }) => lower.includes(wordForm(term)));
}

/** Maximum distance between the starts of two words that belong together, on the same line. */
const NEAR_CHARS = 60;
const CAMEL = /(\p{Ll})(\p{Lu})/gu;
const LATIN_START = /^\p{Script=Latin}/u;

/**
 * Tells whether two words, each in any form, are close together in a text: on one line, within a short sentence. A Latin word
 * must begin a word of the text, so that `rate` is not found in `strategy`. In identifiers, each part is a word.
 */
function standTogether(a: string, b: string, text: string): boolean {
  const lower = folded(text.replace(CAMEL, "$1 $2"));
  const other = patternOf(b);
  for (const { index } of lower.matchAll(patternOf(a))) {
    const before = lower.slice(Math.max(0, index - NEAR_CHARS - 1), index);
    const behind = lower.slice(index, index + NEAR_CHARS);
    // One character before is included, to check that a Latin word begins there.
    const near = before.slice(Math.max(0, before.lastIndexOf("\n"))) + (behind.split("\n", 1)[0] ?? "");
    if (near.search(other) !== -1) return true;
  }
  return false;
}

function patternOf(word: string): RegExp {
  const form = wordForm(folded(word).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const literal = RegExp.escape(form);
  return new RegExp(`${LATIN_START.test(form) ? "(?<!\\p{L})" : ""}${literal}`, "gu");
}

/**
 * Adds the turns of sessions whose title has all words of the query, or all those that no turn has. For explicit queries only: a
 * title names a session's subject, not what a turn answers.
 */
export async function addTitled(
  found: Map<number, Candidate>,
  { terms }: QueryParts,
  store: Pick<SearchStore, "turnsByTitle">,
  filter: Filter,
): Promise<void> {
  const unknown = terms.filter(({ turnIds }) => turnIds?.length === 0);
  const wanted = (unknown.length > 0 ? unknown : terms).map(({ term }) => term);
  if (wanted.length === 0) return;
  const rows = await store.turnsByTitle(wanted.map(wordForm), CANDIDATES.titledTurns, filter);
  for (const { turnId, title } of rows)
    if (wanted.every((term) => isTitled(title, term))) addCandidate(found, turnId, "title");
}

/** Tells whether a word of the title begins with a form of the term: `art` is in "Artwork of the page", but not in "Start". */
function isTitled(title: string, term: string): boolean {
  const form = wordForm(term);
  const words = folded(title).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  // In text without spaces, a term may be part of a longer run.
  const isPart = /[^\p{Script=Latin}\p{N}_-]/u.test(form);
  return words.some((word) => (isPart ? word.includes(form) : word.startsWith(form)));
}
