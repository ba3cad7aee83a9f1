import { joined, type ScoredSentence, type Statement, scoredSentences } from "../../statement/choose.ts";
import { CUES, type Cue } from "../../statement/cues.ts";
import type { SoughtWords } from "../../statement/features.ts";
import type { RecallStore } from "../../store/contract/recall.ts";
import type { SearchStore } from "../../store/contract/store.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { textOf } from "../../turn/parts.ts";
import type { PartKind } from "../../turn/text.ts";
import { countWords } from "../classify.ts";
import { choreShare, rareWords, sharedRarity } from "./occasion.ts";

/** Turns after a told one in which its matter may have been settled. */
const LATER_TURNS = 4;
/** Characters of a statement that settles something. */
export const SETTLED_CHARS = 260;
/** A prompt with fewer words goes on with the matter before it. */
const REPLY_WORDS = 14;
/** With this share of its rare words from the turn before, a prompt goes on with its matter. */
const SAME_MATTER = 0.25;
/** With this many commands of version control and the like among its words, a prompt ends the matter. */
const CHORE_SHARE = 0.6;
/** From these scores on, a sentence settles something: in a conversation that soon ends, and before. */
const SETTLES = { nearEnd: 2.1, before: 2.4 } as const;
/** What makes a sentence one that settles a matter, whatever words it has. Set by hand. */
const SETTLING = Object.entries({
  rule: 1,
  decision: 1,
  reason: 0.7,
  finding: 0.6,
  change: 0.2,
  name: 0.2,
  narration: -2,
  question: -2,
  guess: -1,
  lead: -1,
  checked: -1.5,
} satisfies Partial<Record<Cue, number>>) as [Cue, number][];
const USER_SETTLES = 1;
const NEAR_END = 0.4;
/** What the sentences of a conversation's last turn gain: there it is settled, if at all. */
const LAST_TURN = 0.6;
const HEADING = -2;
/** Shorter sentences settle nothing by themselves. */
const MIN_SETTLING_WORDS = 5;
const TOO_SHORT = -1.5;
/** A request of the user settles nothing. */
const REQUEST =
  /^(?:(?:ok(?:ay)?|good|now|then|and|also|yes|please)[,. ]+)*(?:can|could|would|will) (?:you|we|it)\b|^(?:please|let's|now|then|next|commit|push|run|check|fix|add|try|look|show)\b/i;
const REQUESTED = -1.5;

type SettledStatement = Statement & { turnId: number };

/**
 * The rules, decisions and causes that the following turns settled, as long as they go on with the matter: the surest first,
 * one of each speaker in a turn.
 */
export async function settledLater(
  turn: StoredTurn,
  sought: SoughtWords,
  { search, recall }: { search: Pick<SearchStore, "turns">; recall: Pick<RecallStore, "turnsAfter"> },
): Promise<SettledStatement[]> {
  const ids = await recall.turnsAfter(turn.turnId, LATER_TURNS);
  if (ids.length === 0) return [];
  const isNearEnd = ids.length < LATER_TURNS;
  const found: SettledStatement[] = [];
  let before = turn;
  for (const next of await search.turns(ids)) {
    if (!goesOn(next, before, isNearEnd)) break;
    const sentences = settling(scoredSentences(next, sought), isNearEnd && next.turnId === ids.at(-1));
    const least = isNearEnd ? SETTLES.nearEnd : SETTLES.before;
    found.push(...settledIn(sentences, least).map((each) => ({ ...each, turnId: next.turnId })));
    before = next;
  }
  return found.sort((a, b) => b.score - a.score);
}

/** What the user, and what the agent settled in a turn. */
function settledIn(sentences: readonly ScoredSentence[], least: number): Statement[] {
  const by = (...kinds: PartKind[]) =>
    joined(
      sentences.filter(({ kind }) => kinds.includes(kind)),
      { chars: SETTLED_CHARS },
    );
  return [by("prompt"), by("answer", "narration")].flatMap((each) =>
    each !== null && each.score >= least ? [each] : [],
  );
}

/** Whether a turn goes on with the matter of the one before it. Near its end, a conversation rarely turns to another. */
function goesOn(next: StoredTurn, before: StoredTurn, isNearEnd: boolean): boolean {
  if (next.role !== "turn") return false;
  const prompt = textOf(next, "prompt") ?? "";
  if (choreShare(prompt) >= CHORE_SHARE) return false;
  if (isNearEnd || countWords(prompt) < REPLY_WORDS) return true;
  return sharedRarity(rareWords(prompt), before.text.toLowerCase()) >= SAME_MATTER;
}

/** Scores sentences, in order, by how surely they settle a matter. */
export function settling(sentences: readonly ScoredSentence[], isLast: boolean): ScoredSentence[] {
  return sentences.map((sentence, at) => ({
    ...sentence,
    score: settlingScore(sentence) + (isLast ? LAST_TURN : 0) + (NEAR_END * at) / sentences.length,
  }));
}

function settlingScore({ text, kind, isHeading }: ScoredSentence): number {
  const cues = SETTLING.reduce((sum, [cue, weight]) => sum + (CUES[cue].test(text) ? weight : 0), 0);
  const user = kind === "prompt" ? USER_SETTLES + (REQUEST.test(text) ? REQUESTED : 0) : 0;
  return cues + user + (isHeading ? HEADING : 0) + (countWords(text) < MIN_SETTLING_WORDS ? TOO_SHORT : 0);
}
