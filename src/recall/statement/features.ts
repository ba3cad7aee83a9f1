import { folded } from "../../text/fold.ts";
import { CUES, type Cue } from "../../turn/cues.ts";
import type { Sentence } from "../../turn/sentences.ts";
import { isAsked } from "../../turn/text.ts";
import type { QueryParts } from "../query.ts";
import { wordForm } from "../word-form.ts";

/** The sought words, prepared once: forms in lower case without endings. */
export interface SoughtWords {
  words: readonly { form: string; weight: number }[];
  /** Total weight of the words. */
  total: number;
}

/** Prepares the words of a query for searching in sentences. */
export function soughtWords({ terms }: Pick<QueryParts, "terms">): SoughtWords {
  const words = terms.map(({ term, rarity }) => ({ form: wordForm(term), weight: rarity }));
  return { words, total: words.reduce((sum, { weight }) => sum + weight, 0) };
}

/** Features that predict whether a sentence of a turn should be quoted. All except the cues and lengths depend on its place. */
export type SentenceFeatures = Record<Cue, number> & {
  prompt: number;
  thinking: number;
  narrated: number;
  answer: number;
  forward: number;
  first: number;
  last: number;
  /** Position from 0 for the first sentence of its kind to 1 for the last. */
  position: number;
  heading: number;
  item: number;
  short: number;
  long: number;
  /** Share of the sought words' weight in the sentence, and in its neighbours. */
  covered: number;
  before: number;
  after: number;
  coveredByLength: number;
  /** This share relative to that of the best sentence. */
  coveredOfMost: number;
  answerCovered: number;
  answerPosition: number;
  promptCovered: number;
  /** 1 for narration in a turn without an answer. */
  onlyNarrated: number;
  onlyThinking: number;
  onlyPrompt: number;
  afterLead: number;
  afterHeading: number;
};

const NAMES = Object.keys(CUES) as Cue[];
const SHORT_CHARS = 60;
const LONG_CHARS = 160;

/** Returns the features of each sentence, given all sentences of a turn in order. */
export function sentenceFeatures(sentences: readonly Sentence[], sought: SoughtWords): SentenceFeatures[] {
  const covered = sentences.map(({ text }) => coveredShare(text, sought));
  const most = Math.max(1e-6, ...covered);
  const ends = endsOf(sentences);
  const isUnanswered = Number(!ends.has("answer"));
  return sentences.map((sentence, at) => {
    const { kind, text } = sentence;
    const asked = Number(isAsked(kind));
    const size = sizeOf(text);
    const { first, last } = ends.get(kind) ?? { first: at, last: at };
    const position = last === first ? 0.5 : (at - first) / (last - first);
    const own = covered[at] ?? 0;
    const answer = Number(kind === "answer");
    const previous = sentences[at - 1];
    return {
      ...cuesOf(text),
      prompt: asked,
      thinking: Number(kind === "thinking"),
      narrated: Number(kind === "narration"),
      answer,
      forward: Number(kind === "forward"),
      first: Number(at === first),
      last: Number(at === last),
      position,
      heading: Number(sentence.isHeading),
      item: Number(sentence.isItem),
      short: Math.max(0, 1 - size / SHORT_CHARS),
      long: Math.max(0, Math.log(size / LONG_CHARS)),
      covered: own,
      before: covered[at - 1] ?? 0,
      after: covered[at + 1] ?? 0,
      coveredByLength: own / Math.sqrt(4 + size / 20),
      coveredOfMost: own / most,
      answerCovered: answer * own,
      answerPosition: answer * position,
      promptCovered: asked * own,
      onlyNarrated: isUnanswered * Number(kind === "narration"),
      onlyThinking: isUnanswered * Number(kind === "thinking"),
      onlyPrompt: isUnanswered * asked,
      afterLead: Number(previous !== undefined && CUES.lead.test(previous.text)),
      afterHeading: Number(previous?.isHeading ?? false),
    };
  });
}

/** Returns the share of the sought words' weight that a text contains. */
export function coveredShare(text: string, { words, total }: SoughtWords): number {
  const lower = folded(text);
  let sum = 0;
  for (const { form, weight } of words) if (lower.includes(form)) sum += weight;
  return total > 0 ? sum / total : 0;
}

function cuesOf(text: string): Record<Cue, number> {
  const found = {} as Record<Cue, number>;
  for (const name of NAMES) found[name] = CUES[name].test(text) ? 1 : 0;
  return found;
}

/** Returns the indexes of the first and the last sentence of each kind. */
function endsOf(sentences: readonly Sentence[]): Map<Sentence["kind"], { first: number; last: number }> {
  const ends = new Map<Sentence["kind"], { first: number; last: number }>();
  for (const [at, { kind }] of sentences.entries())
    ends.set(kind, { first: ends.get(kind)?.first ?? at, last: at });
  return ends;
}

const FULL = /[\u1100-\u11ff\u3041-\u30ff\u3131-\u318e\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]/g;

/** Returns the information size of a sentence in English characters; a letter of Han, Kana or Hangul counts as two. */
export function sizeOf(text: string): number {
  return text.length + (text.match(FULL)?.length ?? 0);
}
