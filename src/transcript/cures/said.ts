import { CUES } from "../../statement/cues.ts";
import { sentencesOf } from "../../statement/sentences.ts";
import { composeText } from "../../turn/text.ts";
import type { EntryText } from "../transcript.ts";
import { namesIn } from "./names.ts";

const SENTENCE = { min: 30, max: 260 } as const;
const LEAST_SCORE = 1.3;
/** Names that a sentence shares with the error and the cure count up to so many. */
const MAX_SHARED = 3;
/** A sentence with so many names of other errors is about these. */
const OF_OTHERS = 2;

/**
 * Returns the sentence that says best what was wrong, or why it was got past so; null when none says it.
 *
 * @param about the error and its cure.
 * @param others errors that the cure is not for.
 */
export function reasonIn(
  said: readonly EntryText[],
  about: string,
  others: string,
): { text: string; isThinking: boolean } | null {
  const names = [...namesIn(about)];
  const foreign = [...namesIn(others).difference(new Set(names))];
  const sentences = said.flatMap(({ text, isThinking }) =>
    sentencesOf(composeText([{ kind: "narration", text }]))
      .filter((sentence) => mayBeTold(sentence) && sharedBy(sentence.text, foreign) < OF_OTHERS)
      .map((sentence) => ({ text: sentence.text, isThinking, score: scoreOf(sentence.text, names) })),
  );
  // The first one of the best.
  const [best] = sentences.filter(({ score }) => score >= LEAST_SCORE).sort((a, b) => b.score - a.score);
  return best === undefined ? null : { text: best.text, isThinking: best.isThinking };
}

function mayBeTold({ text: { length }, isHeading }: { text: string; isHeading: boolean }): boolean {
  return length >= SENTENCE.min && length <= SENTENCE.max && !isHeading;
}

function sharedBy(words: string, names: readonly string[]): number {
  const lower = words.toLowerCase();
  return names.filter((name) => lower.includes(name)).length;
}

function scoreOf(words: string, names: readonly string[]): number {
  const shared = sharedBy(words, names);
  const when = (cue: RegExp, score: number) => (cue.test(words) ? score : 0);
  return (
    0.7 * Math.min(shared, MAX_SHARED) +
    when(CUES.finding, 1) +
    Math.max(when(CUES.reason, 1), when(CUES.decision, 1)) +
    when(CUES.rule, 0.7) -
    when(CUES.narration, 1.5) -
    Math.max(when(CUES.guess, 1), when(CUES.question, 1)) -
    when(CUES.checked, 1)
  );
}
