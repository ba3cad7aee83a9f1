import type { RunningTurn } from "../agents/running.ts";
import { wordForm } from "../recall/word-form.ts";
import { rareWords } from "../recall/worth/occasion.ts";
import { keywordTerms } from "../text/keywords.ts";

/** What the agent works on when it opens a file. */
export interface RunningMatter extends RunningTurn {
  /** The text that it is about to change or to write; empty when it reads. */
  edited: string;
}

/** How much a word counts by where it stands: in the prompt, around it, or in the edit. */
const WEIGHT = { prompt: 1, before: 0.5, said: 0.6, edited: 0.6 } as const;
/** Words that are looked for: each costs a look at every turn. */
const MAX_WORDS = 80;
const WORDS = { prompt: 60, before: 30, said: 50, edited: 50 } as const;
/** A prompt with fewer rare words answers what the agent said before it. */
const SHORT_PROMPT_WORDS = 6;
/** Turns that no word counts as common in, so that a few turns make no word common. */
const SMOOTHING = 4;

/**
 * Returns the words that the running turn is about, with their weight in nats: rare in developers' texts, and rare among
 * the turns that may be told. Words of the file's path do not count.
 */
export function matterWords(
  matter: RunningMatter,
  path: string,
  texts: readonly string[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const prompt = rareWords(matter.prompt, WORDS.prompt);
  const add = (words: ReadonlyMap<string, number>, share: number) => {
    for (const [form, nats] of words)
      weights.set(form, Math.max(weights.get(form) ?? 0, share * Math.min(nats, MAX_NATS)));
  };
  add(prompt, WEIGHT.prompt);
  if (prompt.size < SHORT_PROMPT_WORDS) add(rareWords(matter.before, WORDS.before), WEIGHT.before);
  add(rareWords(matter.said, WORDS.said), WEIGHT.said);
  add(rareWords(matter.edited, WORDS.edited), WEIGHT.edited);
  for (const term of keywordTerms(path, WORDS.prompt)) weights.delete(wordForm(term));
  const rarest = [...weights].sort(([, a], [, b]) => b - a).slice(0, MAX_WORDS);
  const rarities = rarest.map(([form, weight]): [string, number] => {
    const held = texts.filter((text) => text.includes(form)).length;
    return [form, weight * (1 - held / (texts.length + SMOOTHING)) - COMMON_NATS];
  });
  return new Map(rarities.filter(([form, rarity]) => form.length >= 3 && rarity >= LEAST_NATS));
}

const MAX_NATS = 6;
/** Words of every text about code, such as "issue" or "move", count for nothing. */
const COMMON_NATS = 1;
const LEAST_NATS = 0.4;
