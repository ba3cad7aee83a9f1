import { endsUse, holdsChange, holdsNow } from "./cues.ts";
import { compareQuantities } from "./quantities.ts";
import { isRare, rarityOfForm, type Word, wordsIn } from "./words.ts";

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

/** Only so many of the rarest words of the older turn count as what it names. */
const NAMED = 16;
/** A query of few words is covered soon: shares are taken as if it had so many nats more. */
const MORE_RARITY = 4;
const MAX_NEW_NAMES = 3;
/** An older turn that the query found by chance is not replaced by one that answers it. */
const MAX_NEARER = 0.05;
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/;

/** Compares a turn with an older one on the matter of a query. */
export function successionFeatures(
  query: string,
  older: Statement,
  newer: Statement,
  rarities: Map<string, number> = new Map(),
): SuccessionFeatures {
  const rarity = (form: string) => {
    const known = rarities.get(form) ?? rarityOfForm(form);
    rarities.set(form, known);
    return known;
  };
  const sum = (forms: Iterable<string>) => [...forms].reduce((total, form) => total + rarity(form), 0);
  const asked = formsOf(wordsIn(query));
  const named = namedIn(older, asked);
  const said = sentencesOf(newer.answer);
  const all = [...sentencesOf(newer.prompt), ...said];
  const { ended, kept } = fates(all, named);
  const spoken = formsOf([...wordsIn(older.prompt), ...wordsIn(older.answer)]);
  const words = formsOf(all.flatMap((sentence) => sentence.words));
  const newNames = formsOf(said.flatMap(({ words }) => words).filter(({ isName }) => isName)).difference(
    asked.union(spoken),
  );
  const quantity = compareQuantities(older.answer, newer.answer);
  const covered = said.map(({ words }) => sum(formsOf(words).intersection(asked)));
  const most = [...named].map(rarity).sort((a, b) => b - a);
  return {
    nearer: nearer(older.distance, newer.distance),
    change: flag(holdsChange(newer.answer)),
    promptChange: flag(holdsChange(newer.prompt)),
    now: flag(all.some(({ text }) => holdsNow(text))),
    ended: flag(ended.size > 0),
    kept: Math.min(1, sum(kept) / (most.slice(0, 3).reduce((a, b) => a + b, 0) + 3)),
    shared: sum(spoken.intersection(words)) / (sum(spoken) + MORE_RARITY),
    newNames: Math.min(MAX_NEW_NAMES, newNames.size),
    sameQuantity: flag(quantity === "same"),
    otherQuantity: flag(quantity === "other"),
    coverage: Math.max(0, ...covered) / (sum(asked) + MORE_RARITY),
    file: flag(older.files.some((file) => newer.files.includes(file))),
    session: flag(older.sessionId === newer.sessionId),
  };
}

interface Sentence {
  text: string;
  words: Word[];
}

function sentencesOf(text: string): Sentence[] {
  return text.split(SENTENCE_END).map((sentence) => ({ text: sentence, words: wordsIn(sentence) }));
}

/** What a turn names in its answer: names and rare words that neither its prompt nor the query has. */
function namedIn({ prompt, answer }: Statement, asked: ReadonlySet<string>): Set<string> {
  const given = formsOf(wordsIn(prompt));
  const named = new Set<string>();
  for (const { form, isName } of sentencesOf(answer).flatMap(({ words }) => words)) {
    if (named.size >= NAMED) break;
    if (asked.has(form) || given.has(form) || named.has(form)) continue;
    if (isName || isRare(form)) named.add(form);
  }
  return named;
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
