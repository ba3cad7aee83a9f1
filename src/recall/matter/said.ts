import { NOTE } from "../../constants.ts";
import { lazily } from "../../lazily.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { partText } from "../../turn/parts.ts";
import { findOthers } from "../../turn/pasted.ts";
import { choreShare } from "../chore.ts";
import { joinBest, type ScoredSentence, type Statement, scoredSentences } from "../statement/choose.ts";
import { coveredShare, type SoughtWords } from "../statement/features.ts";
import { type Conversation, subjectText, turnAfter } from "./conversation.ts";
import { type Quotation, quotation } from "./quotation.ts";
import { rankStatements } from "./ranked.ts";
import { CHORE_SHARE, findSettled } from "./settled.ts";

/** Minimum score of a statement that amends an older one. */
const SETTLES = 1.3;
/** Phrases that announce a change: something is no longer so, or is different now. */
const CHANGES =
  /\b(?:(?:is|are|was|were|has been|have been) (?:deleted|removed|dropped|gone|off|switched off|replaced)|no longer|any ?more|from now on|instead(?: of)?|(?:changed|switched|moved|migrated|raised|lowered|set) (?:\S+ ){0,3}(?:to|from)|(?:is|are|uses?|gets?|has|have) (?:\S+ ){0,3}now|now (?:is|are|uses?|gets?))\b/i;
/**
 * Maximum characters of a conversation on one matter. In a longer one, a settling statement must itself contain this share of the
 * sought words; otherwise one in seventy of 146 right answers of a real history would rank below a wrong one.
 */
const BRIEF_CHARS = 1_500;
const BEARS = 0.6;
/** Maximum characters of a note, and of a question that the user answered. */
const SAID_CHARS = 420;
/** Maximum length of a prompt or an answer to quote whole. */
const WHOLE_CHARS = 420;
/** Minimum share of the sought words in an agent's question that the user answered. Such an answer settles a question most. */
const ASKED_BEFORE = 0.7;
const ANSWERED = /^Question: (.*)\nAnswer: /;

/** Maximum characters of prompts and answers in a conversation to quote whole, which shows how it ended. */
const DIALOGUE_CHARS = 1_700;

/**
 * Quotes every prompt and answer of a conversation in order. Null if it is too long, contains text that may be pasted, or has a turn without
 * an answer but with narration, because the quotation would be incomplete; and if it would leave out words of its statements.
 */
export function quoteDialogue(
  conversation: Conversation,
  said: readonly Quotation[],
): readonly Quotation[] | null {
  const { turns } = conversation;
  if (!turns.every(isWhole)) return null;
  const rows = turns.flatMap((turn) => {
    const prompt = { turn, kind: "prompt" as const, text: partText(turn, "prompt")?.trim() ?? "" };
    const answer = { turn, kind: "answer" as const, text: partText(turn, "answer")?.trim() ?? "" };
    return [prompt, answer].filter(({ text }) => text !== "");
  });
  if (rows.reduce((sum, { text }) => sum + text.length, 0) > DIALOGUE_CHARS) return null;
  const all = lettersOf(rows.map(({ text }) => text).join(" "));
  const isLeftOut = ({ text }: Quotation) =>
    text.split("…").some((sentence) => !all.includes(lettersOf(sentence)));
  if (said.some(isLeftOut)) return null;
  return rows.map((row) => quotation(row.turn, row, turnAfter(conversation, row.turn)));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Tells whether a turn consists only of its prompt and answer. */
function isWhole(turn: StoredTurn): boolean {
  const prompt = partText(turn, "prompt") ?? "";
  const isAnswered = partText(turn, "answer") !== null || partText(turn, "narration") === null;
  return turn.role === "turn" && turn.client !== NOTE.client && findOthers(prompt).length === 0 && isAnswered;
}

/** The statements of a conversation on the sought words. */
export interface FoundStatements {
  said: () => Quotation[];
  /** Tells whether it settled something or changed an earlier decision, and so amends older conversations. */
  isSettling: () => boolean;
  /** True when it is on one matter alone. */
  isBrief: boolean;
  /** True when it is short, and asks for nothing but commits, tests and the like. */
  isChore: boolean;
}

/** Finds a conversation's statements on the sought words, the most decisive first. Reads its sentences once, on demand. */
export function findStatements(
  conversation: Conversation,
  relevance: (turn: StoredTurn) => number,
  sought: SoughtWords,
): FoundStatements {
  const { found, turns, around, isShort } = conversation;
  if (found.client === NOTE.client || found.role !== "turn") {
    const said = lazily(() => {
      const note = joinBest(scoredSentences(found, sought), { chars: SAID_CHARS });
      return note === null ? [] : [quotation(found, { ...note, text: wholeIfShort(found, note) })];
    });
    // A summary settles nothing: it only sums up earlier turns.
    return { said, isSettling: () => found.client === NOTE.client, isBrief: false, isChore: false };
  }
  const course = { about: found, isShort, lastId: around.at(-1)?.turnId ?? null, least: SETTLES };
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  const scored = lazily(() => new Map(turns.map((turn) => [turn, scoredSentences(turn, sought)])));
  const sentences = (turn: StoredTurn) => scored().get(turn) ?? [];
  const firstId = around[0]?.turnId ?? null;
  const lastId = isShort ? course.lastId : null;
  const said = lazily(() => {
    const ranked = rankStatements({ turns, sentences, relevance, firstId, lastId }, sought);
    const asked = answeredIn(turns, sought, sentences);
    const all = [...asked, ...ranked].flatMap((each) => {
      const turn = byId.get(each.turnId);
      return turn === undefined ? [] : [{ turn, kind: each.kind, text: wholeIfShort(turn, each) }];
    });
    return distinct(all).map((each) => quotation(each.turn, each, turnAfter(conversation, each.turn)));
  });
  const isShortest = subjectText(conversation).length <= BRIEF_CHARS;
  const isChore =
    isShortest && turns.every((turn) => choreShare(partText(turn, "prompt") ?? "") >= CHORE_SHARE);
  const isBrief = isShortest && !isChore;
  const isSettling = lazily(() => {
    const settled = findSettled(turns, course, { sought, sentences });
    return isShortest
      ? isBrief && (settled.length > 0 || isChanging(conversation))
      : settled.some(({ text }) => coveredShare(text, sought) >= BEARS);
  });
  return { said, isSettling, isBrief, isChore };
}

/** Returns the agent's question most like the query, with the user's answer; the latest of several. */
function answeredIn(
  turns: readonly StoredTurn[],
  sought: SoughtWords,
  sentences: (turn: StoredTurn) => readonly ScoredSentence[],
): (Statement & { turnId: number })[] {
  const found = turns.flatMap((turn) =>
    sentences(turn).map((sentence) => {
      const [, question = ""] = ANSWERED.exec(sentence.text) ?? [];
      // The index also has `go-git` as one word.
      const words = sentence.kind === "prompt" ? `${question} ${question.replace(/[-._]/g, "")}` : "";
      return { sentence, turnId: turn.turnId, covers: coveredShare(words, sought) };
    }),
  );
  const best = found.toReversed().toSorted((a, b) => b.covers - a.covers)[0];
  const said = best && best.covers >= ASKED_BEFORE ? joinBest([best.sentence], { chars: SAID_CHARS }) : null;
  return best === undefined || said === null ? [] : [{ ...said, turnId: best.turnId }];
}

/** Quotes a short prompt, answer or note whole, because single sentences would lack their subject. */
function wholeIfShort(turn: StoredTurn, { text, kind }: Pick<Quotation, "text" | "kind">): string {
  const isToldWhole = kind === "prompt" || kind === "answer" || kind === "note";
  const whole = isToldWhole ? partText(turn, kind)?.trim() : undefined;
  return whole !== undefined &&
    whole.length <= WHOLE_CHARS &&
    !whole.includes("```") &&
    !isPartlyPasted(kind, whole)
    ? whole
    : text;
}

function isPartlyPasted(kind: Quotation["kind"], text: string): boolean {
  return kind === "prompt" && findOthers(text).length > 0;
}

/** Removes statements whose words an earlier one contains, or that begin with all its words: "to 50" is not "to 5". */
export function distinct<Row extends { text: string }>(rows: readonly Row[]): Row[] {
  const says = (one: string, other: string) => hasWords(one, other) || hasWords(other, one, 0);
  return rows.filter(({ text }, at) => !rows.slice(0, at).some((before) => says(before.text, text)));
}

/** Tells whether a text has these whole words, at an offset or anywhere. */
function hasWords(text: string, words: string, offset?: number): boolean {
  const at = text.indexOf(words);
  if (at < 0 || (offset !== undefined && at !== offset)) return false;
  return ![text[at - 1], text[at + words.length]].some((beside) => /[\p{L}\p{N}]/u.test(beside ?? ""));
}

/** Tells whether a conversation announces a change. */
export function isChanging({ turns }: Conversation): boolean {
  return turns.some(({ text }) => saysChange(text));
}

/** Tells whether a text announces a change. */
export function saysChange(text: string): boolean {
  return CHANGES.test(text);
}
