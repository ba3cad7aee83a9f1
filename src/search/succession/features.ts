import { endsUse, holdsChange, holdsNow } from "./cues.ts";
import { compareQuantities } from "./quantities.ts";
import { isName, RARE, rarityOfForm, type Word, wordsIn } from "./words.ts";

/** One turn of a pair, as far as it is compared. */
export interface Statement {
  prompt: string;
  /** What was said, as far as it lies near the query. */
  answer: string;
  /** Cosine distance to the query; null without vectors. */
  distance: number | null;
  /** The files that it changed. */
  files: readonly string[];
  sessionId: string;
}

/** What speaks for a turn having replaced what an older one says. Without a unit: 1 for yes, 0 for no. */
export interface SuccessionFeatures {
  /** How much nearer to the query it is than the older turn, in cosine distance. */
  nearer: number;
  /** Its answer has words such as "replaced" or "no longer"; its prompt has them. */
  change: number;
  promptChange: number;
  /** It says "now" or the like. */
  now: number;
  /** It says that something the older turn names is no longer in use. */
  ended: number;
  /** Share of what the older turn names that it goes on to use. */
  kept: number;
  /** Share of the older turn's words that it has, by rarity. */
  shared: number;
  /** Names in its answer that neither the older turn nor the query has, three at most. */
  newNames: number;
  /** It has the same quantities as the older turn, or others of the same kind. */
  sameQuantity: number;
  otherQuantity: number;
  /** Share of the query's words in its best sentence, by rarity. */
  coverage: number;
  file: number;
  session: number;
}

/** Those that are quick to find. */
export type QuickFeatures = Pick<SuccessionFeatures, "nearer" | "shared" | "coverage" | "file" | "session">;

/** The highest values of the others. */
export const SLOW_FEATURES = {
  ...{ change: 1, promptChange: 1, now: 1 },
  ...{ ended: 1, kept: 1, newNames: 3, sameQuantity: 1, otherQuantity: 1 },
} as const;

/** Only so many of the rarest words of the older turn count as what it names. */
const NAMED = 16;
/** A query of few words is covered soon: shares are taken as if it had so many nats more. */
const MORE_RARITY = 4;
/** An older turn that the query found by chance is not replaced by one that answers it. */
const MAX_NEARER = 0.05;
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/;

/** Compares turns on the matter of one query; each statement is split into words once. */
export class Comparison {
  readonly #asked: ReadonlySet<string>;
  readonly #rarities = new Map<string, number>();
  readonly #read = new Map<Statement, ReadStatement>();
  readonly #signs = new Map<Statement, Signs>();
  readonly #named = new Map<Statement, ReadonlySet<string>>();
  readonly #askedRarity: number;

  constructor(query: string) {
    this.#asked = formsOf(wordsIn(query));
    this.#askedRarity = this.#sum(this.#asked);
  }

  /** Returns what speaks for `newer` having replaced what `older` says. */
  features(older: Statement, newer: Statement): SuccessionFeatures {
    const [first, second] = [this.#readOf(older), this.#readOf(newer)];
    const named = this.#namedBy(older);
    const { ended, kept } = fates([...second.prompt, ...second.answer], named);
    const names = formsOf(
      second.answer.flatMap(({ text, words }) => words.filter((word) => isName(text, word))),
    );
    const newNames = names.difference(this.#asked.union(first.words));
    const quantity = compareQuantities(older.answer, newer.answer);
    const mostRare = [...named].map((form) => this.#rarity(form)).sort((a, b) => b - a);
    return {
      ...this.quickFeatures(older, newer),
      ...this.#signsOf(newer),
      ended: flag(ended.size > 0),
      kept: Math.min(1, this.#sum(kept) / (mostRare.slice(0, 3).reduce((a, b) => a + b, 0) + 3)),
      newNames: Math.min(SLOW_FEATURES.newNames, newNames.size),
      sameQuantity: flag(quantity === "same"),
      otherQuantity: flag(quantity === "other"),
    };
  }

  /** Returns what is quick to find of the same. */
  quickFeatures(older: Statement, newer: Statement): QuickFeatures {
    const [first, second] = [this.#readOf(older), this.#readOf(newer)];
    return {
      nearer: nearer(older.distance, newer.distance),
      shared: this.#sum(first.words.intersection(second.words)) / (first.rarity + MORE_RARITY),
      coverage: second.covered / (this.#askedRarity + MORE_RARITY),
      file: flag(older.files.some((file) => newer.files.includes(file))),
      session: flag(older.sessionId === newer.sessionId),
    };
  }

  #readOf(statement: Statement): ReadStatement {
    const known = this.#read.get(statement);
    if (known) return known;
    const prompt = sentencesOf(statement.prompt);
    const answer = sentencesOf(statement.answer);
    const all = [...prompt, ...answer];
    const words = formsOf(all.flatMap(({ words }) => words));
    const read = {
      prompt,
      answer,
      words,
      rarity: this.#sum(words),
      covered: Math.max(0, ...answer.map(({ words }) => this.#sum(formsOf(words).intersection(this.#asked)))),
    };
    this.#read.set(statement, read);
    return read;
  }

  /** Whether the words of a turn tell of a change. */
  #signsOf(statement: Statement): Signs {
    const known = this.#signs.get(statement);
    if (known) return known;
    const { prompt, answer } = this.#readOf(statement);
    const signs = {
      change: flag(holdsChange(statement.answer)),
      promptChange: flag(holdsChange(statement.prompt)),
      now: flag([...prompt, ...answer].some(({ text }) => holdsNow(text))),
    };
    this.#signs.set(statement, signs);
    return signs;
  }

  /** What a turn names in its answer: names and rare words that neither its prompt nor the query has. */
  #namedBy(statement: Statement): ReadonlySet<string> {
    const known = this.#named.get(statement);
    if (known) return known;
    const { prompt, answer } = this.#readOf(statement);
    const given = formsOf(prompt.flatMap(({ words }) => words));
    const named = new Set<string>();
    for (const { text, words } of answer)
      for (const word of words) {
        const { form } = word;
        if (named.size >= NAMED || this.#asked.has(form) || given.has(form) || named.has(form)) continue;
        if (this.#rarity(form) > RARE || isName(text, word)) named.add(form);
      }
    this.#named.set(statement, named);
    return named;
  }

  #sum(forms: Iterable<string>): number {
    let total = 0;
    for (const form of forms) total += this.#rarity(form);
    return total;
  }

  #rarity(form: string): number {
    const known = this.#rarities.get(form) ?? rarityOfForm(form);
    this.#rarities.set(form, known);
    return known;
  }
}

/** Compares a turn with an older one on the matter of a query. */
export function successionFeatures(query: string, older: Statement, newer: Statement): SuccessionFeatures {
  return new Comparison(query).features(older, newer);
}

type Signs = Pick<SuccessionFeatures, "change" | "promptChange" | "now">;

/** A statement, split into words. */
interface ReadStatement {
  prompt: Sentence[];
  answer: Sentence[];
  /** Forms of all its words. */
  words: Set<string>;
  /** Sum of their rarities, in nats. */
  rarity: number;
  /** Rarity of the query's words in its best sentence, in nats. */
  covered: number;
}

interface Sentence {
  text: string;
  words: Word[];
}

function sentencesOf(text: string): Sentence[] {
  return text.split(SENTENCE_END).map((sentence) => ({ text: sentence, words: wordsIn(sentence) }));
}

/** Which of the named things a turn says to be no longer in use, and which it goes on to use. */
function fates(sentences: readonly Sentence[], named: ReadonlySet<string>) {
  const ended = new Set<string>();
  const mentioned = new Set<string>();
  for (const { text, words } of sentences)
    for (const { form, start, end } of words)
      if (named.has(form)) (endsUse(text, start, end) ? ended : mentioned).add(form);
  return { ended, kept: mentioned.difference(ended) };
}

function formsOf(words: readonly Word[]): Set<string> {
  return new Set(words.map(({ form }) => form));
}

function nearer(older: number | null, newer: number | null): number {
  return older === null || newer === null ? 0 : Math.min(MAX_NEARER, older - newer);
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}
