import type { StoredTurn } from "../../store/stored.ts";
import { folded } from "../../text/fold.ts";
import { addLanguages } from "../../text/languages.ts";
import { CUES, type Cue } from "../../turn/cues.ts";
import { partText } from "../../turn/parts.ts";
import { ownWords } from "../../turn/pasted.ts";
import { isAsked, type WordsKind } from "../../turn/text.ts";
import { choreShare } from "../chore.ts";
import { countWords } from "../classify.ts";
import { rareWords, sharedRarity } from "../rare-words.ts";
import { joinBest, type ScoredSentence, type Statement } from "../statement/choose.ts";
import { coveredShare, type SoughtWords } from "../statement/features.ts";

/** Number of later turns that may settle a turn's matter. */
export const LATER_TURNS = 6;
/** Maximum earlier turns in a conversation with a single matter; it also has fewer later turns than `LATER_TURNS`. */
export const EARLIER_TURNS = 2;
/** Maximum characters of a settling statement. */
const SETTLED_CHARS = 320;
/** Minimum words of a prompt that may start a new matter. */
const REPLY_WORDS = 14;
/** Share of its rare words in the previous turn from which a prompt continues the matter. */
const SAME_MATTER = 0.25;
/** Share of words about version control and the like from which a prompt ends the matter. */
export const CHORE_SHARE = 0.6;
/** Minimum scores of a settling sentence, in a conversation with one matter and in a longer one. */
const SETTLES = { short: 1.5, long: 2.1 } as const;
/** Minimum score of a prompt that sets a rule. A longer prompt is a plan with many rules. */
const RULES = 1.7;
const MAX_RULING_WORDS = 90;
/** Weights of the features that make a sentence settle a matter, whatever its words. Set by hand. */
const SETTLING = Object.entries({
  norm: 1.2,
  conclusion: 0.6,
  decision: 0.8,
  reason: 0.6,
  finding: 0.6,
  rule: 0.3,
  change: 0.1,
  name: 0.2,
  report: -0.8,
  narration: -2,
  question: -2,
  guess: -1,
  lead: -1,
  checked: -1.5,
} satisfies Partial<Record<Cue, number>>) as [Cue, number][];
/** Bonus after "Found it." */
const SETTLING_FOUND = 0.6;
const USER_SETTLES = 0.7;
const NEAR_END = 0.4;
/** Bonus in the last turn of a conversation, where a matter is most likely settled. */
const LAST_TURN = 0.5;
const HEADING = -2;
/** Minimum score of a neighbour to quote with the most settling sentence. */
const BESIDE = 0.2;
/** Minimum words of a sentence that settles something alone. */
const MIN_SETTLING_WORDS = 5;
const TOO_SHORT = -1.5;
/** Penalty for pasted code, which is not in the user's words. */
const PASTED_CODE = -9;
/** Matches a request or a question of the user, which settles nothing. */
const REQUEST = addLanguages(
  /^(?:question: (?![\s\S]*\nanswer: ))|^(?!question: )[\s\S]*\?(?:\s|$)|^(?:(?:and|but|so|ok|also)[,. ]+)*(?:what|how|why|who|does|is there|are there|(?:like,? )?for example)\b|^(?:(?:ok(?:ay)?|good|now|then|and|also|yes|please)[,. ]+)*(?:can|could|would|will) (?:you|we|it)\b|^(?:please|let's|now|then|next|commit|push|run|check|fix|add|try|look|show)\b/i,
  {
    words:
      "bitte|kannst du|könntest du|kann man|warum|peux-tu|pouvez-vous|est-ce que|pourquoi|s'il te plaît|puedes|podrías|por favor|por qué|pode|poderia|você pode|por que|можешь|можно|почему|пожалуйста",
    parts:
      ".{0,200}(?:할래|할까|나요|가요|을까|줄래|줄 수 있어)[.?]*$|왜 |.{0,200}(?:ますか|でしょうか|くれる|もらえる)[。？]*$|なぜ|请|帮我|能不能|为什么|.{0,200}(?:吗|呢)[。？]?$",
  },
  true,
);
const REQUESTED = -1.5;
/** A remark in parentheses, which belongs to the sentence before it. */
const ASIDE = /^\([^()]*\)[.!]?$/;
/** Minimum shares for relevance: of the sought words, and of its rare words in the shown turn. */
const BEARING = { sought: 0.2, turn: 0.1 } as const;
/** A sentence that begins with a pronoun for something named before. */
const PRONOUN =
  /^(?:(?:yes|no)[,. ]+)?(?:they|he|she|it|these|those|both|this|that)\b(?!(?:'s| is) (?:why|the|it)\b|(?:'s| is) because\b| (?:settles|means)\b)/i;

/** A statement that settles a matter, with the id of its turn. */
export type SettledStatement = Statement & { turnId: number };

/** Returns the turns, in order, that each continue the matter of the previous one. */
export function continuingTurns(
  turn: StoredTurn,
  later: readonly StoredTurn[],
  isShort: boolean,
): readonly StoredTurn[] {
  const end = later.findIndex((next, at) => !continuesMatter(next, later[at - 1] ?? turn, isShort));
  return end < 0 ? later : later.slice(0, end);
}

/** The roles of turns in a conversation on one matter: the turn of the matter, and the last turn. */
export interface TurnRoles {
  about: StoredTurn;
  isShort: boolean;
  lastId: number | null;
  /** Minimum score of a settling sentence. */
  least?: number;
}

/** Returns the rules, decisions and causes that turns settled: the most certain first, one per speaker and turn. */
export function findSettled(
  turns: readonly StoredTurn[],
  { about, isShort, lastId, least = isShort ? SETTLES.short : SETTLES.long }: TurnRoles,
  { sought, sentences }: { sought: SoughtWords; sentences: (turn: StoredTurn) => ScoredSentence[] },
): SettledStatement[] {
  return turns
    .flatMap((turn) => {
      return bySpeaker(scoreSettling(sentences(turn), isShort && turn.turnId === lastId), least)
        .filter(({ text }) => isShort || turn === about || bearsOn(text, about, sought))
        .map((each) => ({ ...each, turnId: turn.turnId }));
    })
    .sort((a, b) => b.score - a.score);
}

/** Returns the user's settling statement in a turn's own prompt; null if there is none. */
export function findUserRuling(turn: StoredTurn, sentences: readonly ScoredSentence[]): Statement | null {
  if (countWords(ownWords(partText(turn, "prompt") ?? "")) > MAX_RULING_WORDS) return null;
  return mostSettling(scoreSettling(sentences, false), ["prompt"], RULES);
}

/**
 * Returns the settling statements of the user and of the agent in a turn; with `isReply` also those of the user that begin with a
 * pronoun, for what the agent said before, and with `isUnsureTold` also what may be pasted, which settles nothing.
 */
export function bySpeaker(
  sentences: readonly ScoredSentence[],
  least: number,
  { isReply = false, isUnsureTold = false } = {},
): Statement[] {
  return [
    mostSettling(sentences, ["prompt"], least, isReply),
    isUnsureTold ? mostSettling(sentences, ["unsure"], least) : null,
    mostSettling(sentences, ["answer", "narration"], least),
  ].filter((each) => each !== null);
}

/** Returns the most settling sentence of these kinds, with neighbours that belong to it. */
function mostSettling(
  sentences: readonly ScoredSentence[],
  kinds: readonly WordsKind[],
  least: number,
  isReply = false,
): Statement | null {
  const of = sentences.filter(({ kind }) => kinds.includes(kind));
  const best = of.reduce((best, { score }, at) => (score > (of[best]?.score ?? 0) ? at : best), 0);
  if ((of[best]?.score ?? Number.NEGATIVE_INFINITY) < least) return null;
  const beside = widened(of, best, isReply);
  const said = beside && of.slice(beside.from, beside.to);
  return (
    said && joinBest(said, { chars: SETTLED_CHARS, sentences: said.length, within: Number.POSITIVE_INFINITY })
  );
}

/** Returns the range of the best sentence and its neighbours; null if a neighbour that it refers to does not fit. */
function widened(
  of: readonly ScoredSentence[],
  best: number,
  isReply: boolean,
): { from: number; to: number } | null {
  let [from, to] = [best, best + 1];
  const isRoom = (a: number, b: number) =>
    of.slice(a, b).reduce((sum, { text }) => sum + text.length + 1, 0) <= SETTLED_CHARS;
  const goes = (one: ScoredSentence | undefined): one is ScoredSentence =>
    one !== undefined && one.kind === of[best]?.kind && one.score >= BESIDE;
  for (;;) {
    const [before, after] = [of[from - 1], of[to]];
    const isBefore = goes(before) && isRoom(from - 1, to) && (!goes(after) || before.score > after.score);
    if (isBefore) from--;
    else if (goes(after) && isRoom(from, to + 1)) to++;
    else break;
  }
  // "They never cover it" says nothing without the sentence before it.
  const isMeant = (at: number) => (isReply && at === 0) || !PRONOUN.test(of[at]?.text ?? "");
  if (isMeant(from)) return { from, to };
  if (from > 0 && isRoom(from - 1, to)) return { from: from - 1, to };
  while (from < best && !isMeant(from)) from++;
  return isMeant(from) ? { from, to } : null;
}

/** Tells whether a turn continues the matter of the previous one. A short conversation rarely changes its subject. */
export function continuesMatter(next: StoredTurn, before: StoredTurn, isShort: boolean): boolean {
  if (next.role !== "turn") return false;
  // Questions of the agent with the user's answers, which do not belong to the prompt itself.
  const prompt = (partText(next, "prompt") ?? "").replace(/\n\nQuestion: [\s\S]*$/, "");
  if (choreShare(prompt) >= CHORE_SHARE) return false;
  if (isShort || countWords(prompt) < REPLY_WORDS) return true;
  return sharedRarity(rareWords(prompt), folded(before.text)) >= SAME_MATTER;
}

/** Tells whether a statement of a long conversation is still about the sought words or the shown turn. */
function bearsOn(text: string, turn: StoredTurn, sought: SoughtWords): boolean {
  if (ASIDE.test(text)) return false;
  return (
    coveredShare(text, sought) >= BEARING.sought &&
    sharedRarity(rareWords(text), turn.text.toLowerCase()) >= BEARING.turn
  );
}

/** Scores sentences, in order, by how certainly they settle a matter. */
export function scoreSettling(sentences: readonly ScoredSentence[], isLast: boolean): ScoredSentence[] {
  const code = codeLines(sentences);
  return sentences.map((sentence, at) => ({
    ...sentence,
    score:
      settlingScore(sentence) +
      (isLast ? LAST_TURN : 0) +
      (NEAR_END * at) / sentences.length +
      (saysFound(sentences[at - 1]) ? SETTLING_FOUND : 0) +
      (isAsked(sentence.kind) && code.has(sentence.line) ? PASTED_CODE : 0),
  }));
}

/** Tells whether a sentence, such as "Found it.", only announces a finding. */
function saysFound(before: ScoredSentence | undefined): boolean {
  return (
    before !== undefined &&
    countWords(before.text) < MIN_SETTLING_WORDS &&
    CUES.finding.test(before.text) &&
    !CUES.question.test(before.text)
  );
}

/** Returns the lines of a prompt that are code without a fence. The sentences of a comment are on one line. */
function codeLines(sentences: readonly ScoredSentence[]): Set<number> {
  const isCode = ({ kind, text }: ScoredSentence) => isAsked(kind) && isCodeLine(text);
  return new Set(sentences.filter(isCode).map(({ line }) => line));
}

function settlingScore({ text, kind, isHeading }: ScoredSentence): number {
  const cues = SETTLING.reduce((sum, [cue, weight]) => sum + (CUES[cue].test(text) ? weight : 0), 0);
  const user = kind === "prompt" ? USER_SETTLES + (REQUEST.test(text) ? REQUESTED : 0) : 0;
  return cues + user + (isHeading ? HEADING : 0) + (countWords(text) < MIN_SETTLING_WORDS ? TOO_SHORT : 0);
}

/** A comment, or a line of a file's head. */
const COMMENT = /^(?:\/\/|\/\*|\*\/|#include\b|#!)/;
/** Signs of code that are rare in sentences: an assignment, a comparison, a call, a block. */
const SIGN = /:=|=>|->|[!=]==?|&&|\|\||\s=\s|[\w\])]\.\w+\(|^\w+\(|\)\s*;?$|[;{}]$|^[})\]]/;
const LITERAL = /"(?:[^"\\]|\\.)*"|'[^'\s]*'/g;
const KEYWORD =
  /^(?:return|func|function|var|const|let|def|nil|null|err|range|public|private|static|void|int)$/;
const WORD = /^[("'`*_]*([\p{L}][\p{L}'’-]{0,60})[.,:!?)"'`*_]*$/u;
/** Maximum share of plain words in a line of code. */
const WORDS_OF_PROSE = 0.65;

/** Tells whether a line outside fences is code, as pasted code is: it has signs of code and hardly any words. */
export function isCodeLine(line: string): boolean {
  const text = line.trim();
  if (COMMENT.test(text)) return true;
  if (!SIGN.test(text)) return false;
  const tokens = text.replace(LITERAL, '""').split(/\s+/);
  const words = tokens.filter((token) => {
    const word = WORD.exec(token)?.[1];
    return word !== undefined && !KEYWORD.test(word);
  });
  return words.length / tokens.length < WORDS_OF_PROSE;
}
