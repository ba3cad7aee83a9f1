import type { SentenceFeatures } from "./features.ts";

/**
 * The weights of the model that picks the sentences to tell, in logits. Fitted on the sentences that readers of real
 * histories would have told, by `bun test/bench/worth/fit.ts`; a few are set by hand there, towards what settles a matter.
 */
export const STATEMENT_WEIGHTS: Readonly<Partial<Record<keyof SentenceFeatures, number>>> = {
  reason: 0.33,
  decision: 0.3,
  rule: 0.1,
  finding: 0.23,
  change: 0.21,
  narration: -1,
  checked: -0.58,
  guess: -0.77,
  restated: -0.8,
  question: -0.6,
  lead: -0.51,
  deictic: -0.06,
  name: 0.36,
  prompt: -0.11,
  thinking: -0.34,
  narrated: 0.3,
  answer: 0.56,
  forward: -1.49,
  first: -0.36,
  position: -0.22,
  heading: -1.5,
  item: 0.17,
  short: -0.4,
  long: -0.53,
  covered: 0.94,
  before: -0.4,
  after: -0.6,
  coveredByLength: 1.22,
  coveredOfMost: 1.71,
  answerCovered: 1.86,
  answerPosition: 0.5,
  promptCovered: -1.53,
  onlyNarrated: 0.28,
  onlyPrompt: 0.63,
  afterLead: 0.16,
  afterHeading: 0.16,
};
