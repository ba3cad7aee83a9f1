import { NOTE } from "../../constants.ts";
import { joined, type ScoredSentence, type Statement, scoredSentences } from "../../statement/choose.ts";
import { CUES, type Cue } from "../../statement/cues.ts";
import type { SoughtWords } from "../../statement/features.ts";
import { sentencesOf } from "../../statement/sentences.ts";
import type { RecallStore } from "../../store/contract/recall.ts";
import type { SearchStore } from "../../store/contract/store.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { textOf } from "../../turn/parts.ts";
import { wordForm } from "../background/word-form.ts";
import { countWords } from "../classify.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import { choreShare, rareWords, sharedRarity } from "./occasion.ts";

/** A turn that is worth telling, and what to say of it. */
export interface ToldTurn {
  turn: StoredTurn;
  /** Probability that it is worth telling. */
  probability: number;
  /** What it says on the matter, best first; the second is from a later turn, where the matter was settled. */
  statements: (Statement & { turnId: number })[];
  /** The question that the turn's prompt answered, where the prompt alone says nothing; null for most. */
  before: string | null;
}

/** Characters of a statement, where its turn is told alone and beside others, and of what was settled later. */
const CHARS = { alone: 420, beside: 260, later: 260 } as const;
/** Turns after a told one in which its matter may have been settled, and statements that are told of them. */
const LATER = { turns: 4, statements: { alone: 2, beside: 1 } } as const;
/** A prompt with fewer words goes on with the matter before it. */
const REPLY_WORDS = 14;
/** A prompt with fewer words says nothing by itself. */
const MIN_PROMPT_WORDS = 4;
/** With this share of its rare words from the turn before, a prompt goes on with its matter. */
const SAME_MATTER = 0.25;
/** With this many commands of version control and the like among its words, a prompt ends the matter. */
const CHORE_SHARE = 0.6;

type ToldStores = {
  search: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "turnsAfter" | "turnsBefore">;
};

/** Turns that must not be quoted, and turns that need not be, as they are told by themselves. */
interface Unquoted {
  hidden: ReadonlySet<number>;
  told: ReadonlySet<number>;
}

/** Says what to tell of each turn; leaves out turns that say nothing in words. */
export async function toldTurns(
  chosen: readonly { scored: Scored; probability: number }[],
  parts: QueryParts,
  stores: ToldStores,
  { hidden, told: others }: Unquoted,
): Promise<ToldTurn[]> {
  const sought = soughtWords(parts);
  const place = chosen.length === 1 ? "alone" : "beside";
  const told: ToldTurn[] = [];
  for (const { scored, probability } of chosen) {
    const { turn } = scored;
    const later = (await settledLater(turn, sought, stores)).filter(
      ({ turnId }) => !hidden.has(turnId) && !others.has(turnId),
    );
    const own = ownStatements(turn, sought, CHARS[place]);
    const echo = own.length + later.length === 0 ? echoOf(turn, sought, CHARS[place]) : [];
    const statements = [
      ...[...own, ...echo].map((each) => ({ ...each, turnId: turn.turnId })),
      ...later.slice(0, LATER.statements[place]),
    ];
    if (statements.length > 0)
      told.push({ turn, probability, statements, before: await questionBefore(turn, stores, hidden) });
  }
  return told;
}

/** What the user settled in a turn's prompt, if anything, and what was answered. The prompt alone is an echo of a question. */
function ownStatements(turn: StoredTurn, sought: SoughtWords, chars: number): Statement[] {
  const sentences = withoutForward(scoredSentences(turn, sought));
  const asked = sentences.filter(({ kind }) => kind === "prompt");
  if (turn.client === NOTE.client) return [joined(sentences, { chars })].filter((note) => note !== null);
  const prompt = textOf(turn, "prompt") ?? "";
  const ruled =
    countWords(prompt) > MAX_RULING_WORDS ? null : joined(settling(asked, false), { chars: CHARS.later });
  const answered = joined(
    sentences.filter(({ kind }) => kind !== "prompt"),
    { chars },
  );
  return [ruled !== null && ruled.score >= RULES ? ruled : null, answered].filter((each) => each !== null);
}

/** The prompt of a turn of which nothing else is known. */
function echoOf(turn: StoredTurn, sought: SoughtWords, chars: number): Statement[] {
  return [joined(withoutForward(scoredSentences(turn, sought)), { chars })].filter((echo) => echo !== null);
}

/** The question that a prompt of a few words answered; null for a prompt that says what it is about. */
async function questionBefore(
  turn: StoredTurn,
  { search, recall }: ToldStores,
  hidden: ReadonlySet<number>,
): Promise<string | null> {
  const prompt = textOf(turn, "prompt");
  if (prompt === null || saysMatter(prompt)) return null;
  const [before] = await search.turns(await recall.turnsBefore(turn.turnId, 1));
  if (before === undefined || before.role !== "turn" || hidden.has(before.turnId)) return null;
  const said = sentencesOf(before).filter(({ kind }) => kind === "answer" || kind === "narration");
  const question = said.findLast(({ text }) => CUES.question.test(text))?.text;
  if (question !== undefined) return question;
  const asked = textOf(before, "prompt");
  return asked !== null && saysMatter(asked) ? asked : null;
}

/** Whether a prompt says by itself what it is about. */
function saysMatter(prompt: string): boolean {
  return countWords(prompt) >= MIN_PROMPT_WORDS;
}

/** Prepares the words of a query to be looked for in sentences. */
export function soughtWords({ terms }: Pick<QueryParts, "terms">): SoughtWords {
  const words = terms.map(({ term, rarity }) => ({ form: wordForm(term), weight: rarity }));
  return { words, total: words.reduce((sum, { weight }) => sum + weight, 0) };
}

/**
 * The rules, decisions and causes that the following turns settled, as long as they go on with the matter: the surest first,
 * one of each speaker in a turn.
 */
async function settledLater(
  turn: StoredTurn,
  sought: SoughtWords,
  { search, recall }: ToldStores,
): Promise<ToldTurn["statements"]> {
  const ids = await recall.turnsAfter(turn.turnId, LATER.turns);
  const found: ToldTurn["statements"] = [];
  const isNearEnd = ids.length < LATER.turns;
  let before = turn;
  for (const next of ids.length === 0 ? [] : await search.turns(ids)) {
    if (!goesOn(next, before, isNearEnd)) break;
    const sentences = settling(
      withoutForward(scoredSentences(next, sought)),
      isNearEnd && next.turnId === ids.at(-1),
    );
    for (const kinds of [["prompt"], ["answer", "narration"]]) {
      const best = joined(
        sentences.filter(({ kind }) => kinds.includes(kind)),
        { chars: CHARS.later },
      );
      if (best !== null && best.score >= SETTLES) found.push({ ...best, turnId: next.turnId });
    }
    before = next;
  }
  return found.sort((a, b) => b.score - a.score);
}

/** Whether a turn goes on with the matter of the one before it. Near its end, a conversation rarely turns to another. */
function goesOn(next: StoredTurn, before: StoredTurn, isNearEnd: boolean): boolean {
  if (next.role !== "turn") return false;
  const prompt = textOf(next, "prompt") ?? "";
  if (choreShare(prompt) >= CHORE_SHARE) return false;
  if (isNearEnd || countWords(prompt) < REPLY_WORDS) return true;
  return sharedRarity(rareWords(prompt), before.text.toLowerCase()) >= SAME_MATTER;
}

/** From this score on, a sentence settles something. */
const SETTLES = 1.5;
/** From this score on, a prompt rules something by itself; a longer one is a plan with rules of all kinds. */
const RULES = 2.2;
const MAX_RULING_WORDS = 90;
/** What makes a sentence of a later turn one that settles the matter, whatever words it has. Set by hand. */
const SETTLING: Readonly<Partial<Record<Cue, number>>> = {
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
};
const USER_SETTLES = 1;
const NEAR_END = 0.4;
/** What the sentences of a conversation's last turn gain: there it is settled, if at all. */
const LAST_TURN = 0.6;
/** Shorter ones settle nothing by themselves. */
const MIN_SETTLING_WORDS = 5;

/** Scores sentences by how surely they settle a matter. */
function settling(sentences: readonly ScoredSentence[], isLast: boolean): ScoredSentence[] {
  return sentences.map((sentence, at) => {
    let score = (sentence.kind === "prompt" ? USER_SETTLES : 0) + (isLast ? LAST_TURN : 0);
    if (countWords(sentence.text) < MIN_SETTLING_WORDS) score -= SETTLES;
    for (const [cue, weight] of Object.entries(SETTLING))
      if (CUES[cue as Cue].test(sentence.text)) score += weight;
    score += (NEAR_END * at) / sentences.length - (sentence.isHeading ? 2 : 0);
    return { ...sentence, score };
  });
}

/** The next prompt is told from its own turn. */
function withoutForward(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  return sentences.filter(({ kind }) => kind !== "forward");
}
