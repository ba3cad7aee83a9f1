import { wordForm } from "./background/word-form.ts";
import type { Scored } from "./fusion.ts";
import { judge } from "./gate.ts";
import type { GateMemory } from "./gate-features.ts";
import type { QueryParts, QueryTerm } from "./query.ts";

/** How sure it is that a result, or an answer as a whole, is what the query asks for. */
export type Confidence = (typeof CONFIDENCES)[number];

/** From the least sure on. */
export const CONFIDENCES = ["weak", "likely", "strong"] as const;

/** Probabilities of the gate's model. Whoever searches wants an answer: less will do than for a hook that interrupts. */
const LIKELY = 0.25;
const STRONG = 0.85;
/** Rarity of a word that is in one of some dozens of general texts, in nats: to hold it is no accident. */
const RARE = 4;

/** Rates what was found, best first, as one answer: by what the gate's model makes of the best together. */
export function confidenceOf(ranked: readonly Scored[], query: QueryParts, memory: GateMemory): Confidence {
  const best = ranked[0];
  if (best === undefined) return "weak";
  const { probability } = judge(ranked, query, memory);
  if (probability >= STRONG) return "strong";
  const isNamed = ranked.some(({ candidate }) => candidate.references > 0);
  return isNamed || probability >= LIKELY || ranked.some((one) => holdsAll(one, query)) ? "likely" : "weak";
}

/** Whether a turn holds every word of the query, a rare one among them: so few words tell the model little. */
function holdsAll({ turn }: Scored, { terms }: QueryParts): boolean {
  const text = turn.text.toLowerCase();
  const holds = (term: QueryTerm) =>
    term.turnIds?.includes(turn.turnId) ?? text.includes(wordForm(term.term));
  return terms.some(({ rarity }) => rarity >= RARE) && terms.every(holds);
}
