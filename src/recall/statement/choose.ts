import { CUES } from "../../turn/cues.ts";
import { type Sentence, splitSentences } from "../../turn/sentences.ts";
import { isAsked, type TurnText, type WordsKind } from "../../turn/text.ts";
import { type SentenceFeatures, type SoughtWords, sentenceFeatures, sizeOf } from "./features.ts";

/**
 * Weights in logits of the model that selects sentences. Fitted by `bun test/bench/worth/fit.ts` on the sentences that readers of
 * real histories selected; a few are set there by hand, in favour of settling sentences.
 */
const STATEMENT_WEIGHTS: Readonly<Partial<Record<keyof SentenceFeatures, number>>> = {
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

/** A turn's own words on a matter. */
export interface Statement {
  /** The sentences in order; ` … ` marks omissions between them. */
  text: string;
  /** Kind of the part with the first sentence, which tells the speaker. */
  kind: WordsKind;
  /** Score of the best sentence in logits. */
  score: number;
}

export interface StatementOptions {
  /** Maximum characters; a single longer sentence is left for the reader to cut. */
  chars: number;
  /** Maximum number of sentences. */
  sentences?: number;
  /** Maximum difference in logits of a further sentence to the best one. */
  within?: number;
}

const SENTENCES = 3;

/** Minimum length of a sentence that says something alone. */
const MIN_CHARS = 15;
const WITHIN = 1.5;
/** Limits for thinking, which wanders: never more than the defaults. */
const OF_THINKING = { sentences: SENTENCES, within: WITHIN };
const WEIGHTS = Object.entries(STATEMENT_WEIGHTS) as [keyof SentenceFeatures, number][];

/** Cues of a reason within the announcement of a step. */
const SAYS_WHY = ["reason", "decision", "finding", "norm"] as const;
/** Minimum words of an introducing line with content of its own. */
const MIN_LEADING_WORDS = 7;
const HERE_IS =
  /^(?:(?:and|so|ok(?:ay)?|now)[,. ]+)?(?:here(?:'s|’s| is| are)\b|the following\b|what (?:i|we) )/i;
/** A sentence with its score in logits. */
export interface ScoredSentence extends Sentence {
  score: number;
}

/** Scores the sentences of a turn, in order. */
export function scoredSentences(turn: TurnText, sought: SoughtWords): ScoredSentence[] {
  const sentences = splitSentences(turn);
  const features = sentenceFeatures(sentences, sought);
  return sentences.map((sentence, at) => ({ ...sentence, score: scoreOf(features[at]) }));
}

/** Joins the best of the sentences, all of one speaker, into a statement. */
export function joinBest(
  sentences: readonly ScoredSentence[],
  { chars, ...options }: StatementOptions,
): Statement | null {
  const { sure, refusals } = tellableOf(sentences, chars);
  const [best, ...others] = sure;
  if (best === undefined) return null;
  const { sentences: most = SENTENCES, within = WITHIN } =
    voiceOf(best.kind) === "thought" ? OF_THINKING : options;
  const before = refusals.get(best) ?? findAntecedent(best, sentences);
  const taken = withinChars(best, before, chars);
  let size = taken.reduce((sum, { text }) => sum + text.length, 0);
  // A refused proposal is quoted with its refusal, or not at all.
  for (const next of others.filter((each) => !taken.includes(each) && !refusals.has(each))) {
    if (taken.length >= most || next.score < best.score - within) break;
    if (voiceOf(next.kind) !== voiceOf(best.kind) || size + next.text.length > chars) continue;
    if (taken.some(({ text }) => text.includes(next.text) || next.text.includes(text))) continue;
    taken.push(next);
    size += next.text.length;
  }
  const inOrder = taken.sort((a, b) => a.start - b.start);
  return { text: textOf(inOrder, sentences), kind: best.kind, score: best.score };
}

/** Tells whether an agent's sentence only announces a step, asks, or introduces something that is not quoted with it. */
function isStep({ kind, text }: Sentence): boolean {
  if (isOfPrompt(kind) || kind === "note") return false;
  if (CUES.question.test(text) || (CUES.lead.test(text) && isTitle(text))) return true;
  return CUES.narration.test(text) && !SAYS_WHY.some((cue) => CUES[cue].test(text));
}

/**
 * Tells whether an introducing line has no content of its own, such as "Backwards compatibility:" or "Here's a summary of the
 * fix:".
 */
function isTitle(text: string): boolean {
  return text.split(/\s+/).length < MIN_LEADING_WORDS || HERE_IS.test(text);
}

/** Returns the sentence that one such as "So it must …" continues; null for an independent one. */
function findAntecedent(sentence: ScoredSentence, all: readonly ScoredSentence[]): ScoredSentence | null {
  if (!CUES.deictic.test(sentence.text)) return null;
  const before = all[all.findIndex(({ start }) => start === sentence.start) - 1];
  const isBeside = before?.kind === sentence.kind && before.line === sentence.line;
  return isBeside && !CUES.narration.test(before.text) ? before : null;
}

function withinChars(best: ScoredSentence, beside: ScoredSentence | null, chars: number): ScoredSentence[] {
  return beside !== null && best.text.length + beside.text.length <= chars ? [best, beside] : [best];
}

/** Returns the sentences that fit into this many characters, the most certain first, with their refusals. */
function tellableOf(sentences: readonly ScoredSentence[], chars: number) {
  const refusals = new Map<ScoredSentence, ScoredSentence>();
  for (const [at, sentence] of sentences.entries()) {
    const refusal = refusalBeside(sentences, at);
    if (refusal !== null) refusals.set(sentence, refusal);
  }
  const fits = (sentence: ScoredSentence) => {
    const refusal = refusals.get(sentence);
    return refusal === undefined || sentence.text.length + refusal.text.length <= chars;
  };
  const sure = sentences
    .filter((sentence) => sizeOf(sentence.text) >= MIN_CHARS && !isStep(sentence) && fits(sentence))
    .toSorted((a, b) => b.score - a.score);
  return { sure, refusals };
}

/** Phrases by which an agent refuses a neighbouring proposal. */
const REFUSES =
  /^(?:but |however,? |still,? |that said,? |so )*(?:i (?:did not|didn['’]t|won['’]t|will not|would not|wouldn['’]t|am not|do not|don['’]t|have not|haven['’]t|ignore[ds]?|refused?|declined?|left (?:it|that|this) (?:out|alone)|disagree|advise against|recommend against|do(?:n['’]t| not) (?:think|recommend))\b|i['’]m not\b|we (?:won['’]t|will not|should not|shouldn['’]t|must not|do not|don['’]t)\b|(?:this|that|it|which) (?:is|was|would be) (?:wrong|false|not (?:true|right|ours|our|what|how|the case|correct)|unsafe|an? (?:prompt )?injection)|(?:this|that|it) (?:looks|seems|reads|appears|sounds) (?:like|to be)\b.{0,30}\b(?:injection|attack|phishing|trick|scam)|(?:this|that|it|these|those) (?:contradicts?|conflicts? with|(?:does|do) not (?:apply|hold)|(?:doesn|don)['’]t (?:apply|hold))|ignor(?:e|ed|ing) (?:this|that|it|these|them)\b|(?:do not|don['’]t|never) (?:do|follow|trust|run|apply) (?:this|that|it|these|them|so)\b|not (?:followed|done|applied|adopted)\b|none of (?:this|that|it)\b|nothing of (?:this|that|it)\b)/i;

/** Returns the refusal beside an agent's sentence: the next one, or one that introduces it; null if there is none. */
function refusalBeside(all: readonly ScoredSentence[], at: number): ScoredSentence | null {
  const [before, sentence, after] = [all[at - 1], all[at], all[at + 1]];
  if (sentence === undefined || isOfPrompt(sentence.kind) || REFUSES.test(sentence.text)) return null;
  const refuses = (other: ScoredSentence | undefined): other is ScoredSentence =>
    other !== undefined && voiceOf(other.kind) === voiceOf(sentence.kind) && REFUSES.test(other.text);
  if (refuses(after)) return after;
  return refuses(before) && CUES.lead.test(before.text) ? before : null;
}

function isOfPrompt(kind: WordsKind): boolean {
  return isAsked(kind) || kind === "forward";
}

/** Returns the voice of words. One statement must not mix the user's, those that may be pasted, spoken words and thoughts. */
function voiceOf(kind: WordsKind): "user" | "unsure" | "said" | "thought" {
  if (kind === "unsure") return kind;
  if (isOfPrompt(kind)) return "user";
  return kind === "thinking" ? "thought" : "said";
}

/** Joins the selected sentences and marks omissions. */
function textOf(taken: readonly Sentence[], all: readonly Sentence[]): string {
  return taken.reduce((text, sentence, at) => {
    const before = taken[at - 1];
    if (before === undefined) return inLine(sentence);
    const isNext =
      all.findIndex(({ start }) => start === before.start) + 1 ===
      all.findIndex(({ start }) => start === sentence.start);
    const gap = !isNext
      ? " … "
      : sentence.line === before.line || /[.!?:。！？]$/.test(before.text)
        ? " "
        : "; ";
    return `${text}${gap}${inLine(sentence)}`;
  }, "");
}

/** Puts a question and its answer on lines of their own. */
function inLine({ text }: Sentence): string {
  return text.replace(/([^.!?。！？])\n/g, "$1. ").replaceAll("\n", " ");
}

function scoreOf(features: SentenceFeatures | undefined): number {
  if (features === undefined) return Number.NEGATIVE_INFINITY;
  let score = 0;
  for (const [name, weight] of WEIGHTS) score += weight * features[name];
  return score;
}
