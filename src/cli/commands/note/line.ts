import { NOTE } from "../../../constants.ts";
import { findUserRuling } from "../../../recall/matter/settled.ts";
import { joinBest, type ScoredSentence, scoredSentences } from "../../../recall/statement/choose.ts";
import { coveredShare, type SoughtWords } from "../../../recall/statement/features.ts";
import {
  isChoice,
  isInWords,
  isLasting,
  isOfStep,
  isWish,
  saysFact,
  saysRule,
  sentencesWithoutAssent,
} from "../../../recall/statement/keepable.ts";
import { attributionsIn } from "../../../recall/statement/reported.ts";
import { harmless } from "../../../recall/telling/agent-text.ts";
import { wordForm } from "../../../recall/word-form.ts";
import { findSecrets } from "../../../redact/redact.ts";
import type { StoredTurn } from "../../../store/stored.ts";
import { shorten } from "../../../text/cut.ts";
import { keywordTerms } from "../../../text/keywords.ts";
import { onOneLine, withoutBold } from "../../../text/lines.ts";
import { openingWords } from "../../../turn/parts.ts";
import { ownWords } from "../../../turn/pasted.ts";
import type { WordsKind } from "../../../turn/text.ts";
import type { Style } from "../../terminal/screen.ts";

/** Why a turn is not promoted. */
type Refusal = "colleague" | "imported" | "agent" | "secret" | "wordless" | "no-rule" | "not-about";

/** A statement has two sentences at most; a note that is no longer than this stands whole. */
const SIZE = { chars: 400, sentences: 2, within: 1 } as const;
const MAX_CHARS = 600;
/** Maximum length of a prompt that states one ruling. */
const RULING_CHARS = 160;
/** How many sentences a person chooses from. */
const CHOICES = 3;
/** Code in a line of Markdown whose backticks are single, and outside of it what Claude Code takes for a file to include. */
const CODE = /(`[^`]*`)/;
/** A link that leads to a place in the project only where it was written. */
const LOCAL_LINK = /\[([^[\]]+)\]\((?!https?:)[^()\s]*\)/gi;
const INCLUDED = /(^|[^\w@])(@[\w~./\\-][^\s,;)]*)/g;

/** The line that promotes a turn, and the lines among which a person chooses where none says a rule, a decision or a reason. */
export interface PromotedLine {
  line: string;
  /** True if it says a rule, a decision or a reason as it stands, or is what was asked for. */
  isSure: boolean;
  choices: readonly string[];
}

/**
 * Returns the line that promotes a turn: its date, and what it says, most of all on the words in `about`. What others
 * said and what an agent noted is refused, since it would become an instruction.
 */
export function promotedLine(turn: StoredTurn, about: string): PromotedLine | { refusal: Refusal } {
  if (turn.author !== null) return { refusal: "colleague" };
  if (turn.foreign !== null) return { refusal: "imported" };
  if (turn.origin === "agent" || turn.parts.some(({ kind }) => kind === "note")) return { refusal: "agent" };
  const said = statementIn(turn, about);
  if (typeof said !== "string") return said;
  const line = lineOf(turn, said);
  if (hasSecret(line, turn)) return { refusal: "secret" };
  const isSure = about !== "" || isShortNote(turn) || lastingIn(turn) !== null;
  const choices = isSure ? [] : choicesIn(turn).filter((choice) => !hasSecret(choice, turn));
  return { line, isSure, choices: choices.length > 1 ? choices : [] };
}

function lineOf({ createdAt }: StoredTurn, said: string): string {
  return `${createdAt?.slice(0, 10) ?? "Undated"}: ${asText(shorten(said, MAX_CHARS))}`;
}

/** Lines to choose from: of the sentences that say a rule or a fact the three that most likely matter. */
function choicesIn(turn: StoredTurn): string[] {
  const said = spokenIn(turn, "").filter((each) => saysRule(each) || saysFact(each));
  const kept = said.filter((each) => !isOfStep(each));
  const wanted = kept.length > 0 ? kept : said;
  const best = wanted.toSorted((a, b) => b.score - a.score).slice(0, CHOICES);
  return [...new Set(best.map(({ text }) => lineOf(turn, text)))];
}

function isShortNote(turn: StoredTurn): boolean {
  return turn.client === NOTE.client && ownWords(openingWords(turn)).trim().length <= MAX_CHARS;
}

/** What a turn says that is a rule, a decision or a reason as it stands; null where it says none. */
function lastingIn(turn: StoredTurn): string | null {
  return settledBy(turn, spokenIn(turn, ""));
}

/** Returns the user's ruling, else a choice with its reason, else a rule or a reason; null without any. */
function settledBy(turn: StoredTurn, sentences: readonly ScoredSentence[]): string | null {
  return ruledBy(turn, sentences) ?? chosenIn(sentences) ?? statementOf(sentences, isLasting);
}

/** Returns a stated choice and its best independent reason; null if nobody states a choice. */
function chosenIn(sentences: readonly ScoredSentence[]): string | null {
  const choice = statementOf(sentences, isChoice);
  if (choice === null) return null;
  const rest = sentences.filter(({ text }) => !choice.includes(text));
  const reason = statementOf(rest, (each) => isLasting(each) && !isChoice(each), 1);
  return reason === null || choice.length + reason.length > SIZE.chars ? choice : `${choice} … ${reason}`;
}

/** What the user ruled in a short prompt: it goes before what the agent made of it. */
function ruledBy(turn: StoredTurn, sentences: readonly ScoredSentence[]): string | null {
  if (ownWords(openingWords(turn)).length > RULING_CHARS) return null;
  const asked = sentences.filter(({ kind }) => kind === "prompt");
  const ruled = findUserRuling(turn, asked);
  if (ruled !== null || !asked.some(isWish)) return ruled?.text ?? null;
  const told = asked.filter((each) => !isOfStep(each));
  return told.map(({ text }) => text).join(" ");
}

/** The sentences of a turn that may be promoted, without politeness: the user's own, and the agent's that pass nothing on. */
function spokenIn(turn: StoredTurn, about: string): ScoredSentence[] {
  // What another agent or a program asked is no word of the user's.
  const kinds: WordsKind[] =
    turn.origin === "human" ? ["prompt", "narration", "answer"] : ["narration", "answer"];
  const attribute = attributionsIn(turn);
  const spoken = scoredSentences(turn, soughtIn(about)).filter(
    ({ kind, text }) => kinds.includes(kind) && (kind === "prompt" || attribute(text) === null),
  );
  return sentencesWithoutAssent(spoken);
}

type Says = (sentence: ScoredSentence) => boolean;

function statementIn(turn: StoredTurn, about: string): string | { refusal: Refusal } {
  const whole = turn.client === NOTE.client ? ownWords(openingWords(turn)).trim() : "";
  if (whole !== "" && about === "" && whole.length <= MAX_CHARS) return whole;
  const sought = soughtIn(about);
  const sentences = spokenIn(turn, about);
  if (about !== "") {
    const isOnIt = ({ text }: ScoredSentence) => coveredShare(text, sought) > 0 && isInWords(text);
    return statementOf(sentences, isOnIt) ?? { refusal: "not-about" };
  }
  const settled = settledBy(turn, sentences);
  if (settled !== null) return settled;
  const alone =
    (says: Says): Says =>
    (each) =>
      says(each) && !POINTS.test(each.text);
  const lastingly =
    (says: Says): Says =>
    (each) =>
      says(each) && !isOfStep(each);
  const [rule, fact] = [lastingly(saysRule), lastingly(saysFact)];
  const said = [alone(rule), rule, alone(fact), alone(saysRule), saysRule, alone(saysFact), saysFact]
    .map((isWanted) => statementOf(sentences, isWanted))
    .find((statement) => statement !== null);
  if (said !== undefined) return POINTS.test(said) ? withMatter(said, sentences.find(alone(saysFact))) : said;
  return { refusal: sentences.length === 0 ? "wordless" : "no-rule" };
}

/** Matches a sentence that begins with a reference to earlier text. */
const POINTS = /^(?:this|that|these|those|it|they|both|which)\b/i;

/** Puts the first thing that the agent states before what points at it. */
function withMatter(said: string, matter: ScoredSentence | undefined): string {
  return matter === undefined || said.includes(matter.text) ? said : `${matter.text} … ${said}`;
}

/** Joins the best of the wanted sentences: the agent's, else the user's. Other sentences only lead to them. */
function statementOf(
  sentences: readonly ScoredSentence[],
  isWanted: Says,
  most: number = SIZE.sentences,
): string | null {
  const scored = sentences.map((each) => (isWanted(each) ? each : { ...each, score: UNWANTED }));
  const answered = scored.filter(({ kind }) => kind !== "prompt");
  const found = [answered, scored]
    .map((each) => joinBest(each, { ...SIZE, sentences: most }))
    .find((each) => isScored(each?.score));
  return found?.text ?? null;
}

const UNWANTED = Number.NEGATIVE_INFINITY;

function isScored(score: number | undefined): boolean {
  return score !== undefined && score !== UNWANTED;
}

function soughtIn(about: string): SoughtWords {
  const words = [...new Set(keywordTerms(about).map(wordForm))].map((form) => ({ form, weight: 1 }));
  return { words, total: words.length };
}

/**
 * Renders words as one safe line of Markdown: without `@path` includes and without the start of a comment, which would hide the
 * text below. Collapses runs of backticks, so that every Markdown parser sees the same code.
 */
function asText(words: string): string {
  const line = onOneLine(harmless(withoutBold(words)))
    .replace(LOCAL_LINK, "$1")
    .replaceAll("<!--", "‹!--")
    .replace(/(?<!\\)(?:\\*`)+/g, "`");
  return line
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : withoutIncludes(part)))
    .join("");
}

/** Puts what would include a file into code. A backslash before it, or before the code, would undo that. */
function withoutIncludes(part: string): string {
  return part
    .replaceAll("`", "")
    .replace(/(?<!\\)\\+(?=@|$)/g, "")
    .replace(INCLUDED, "$1`$2`");
}

/** Tells whether a line has a secret, or the place of one that was taken out. */
function hasSecret(line: string, { text }: StoredTurn): boolean {
  return (
    /\[redacted\b/.test(line) ||
    findSecrets(line).length > 0 ||
    findSecrets(text).some(({ start, end }) => line.includes(text.slice(start, end)))
  );
}

/** Renders the lines to choose from, each with its number. */
export function renderChoices(choices: readonly string[]): string {
  const lines = choices.map((line, at) => `  ${at + 1}  ${line}\n`);
  return `No sentence of it states a rule, a decision or a reason.\n${lines.join("")}`;
}

/** Speakers whose words may become an instruction, except words that they pass on. */
const OWN = "the user's or the agent's own";

/** Says why a turn is not promoted, and what to do instead. */
export function renderRefusal(
  turnId: number,
  refusal: Refusal,
  about: string,
): { message: string; hint: string } {
  const own = `What is right in it, write yourself: mementor note "..."`;
  const other = `Name what it is to be about: mementor note ${turnId} --to CLAUDE.md --about <words>`;
  const texts: Record<Refusal, [string, string]> = {
    colleague: ["a colleague said it, and it would become an instruction", own],
    imported: ["it was imported, and it would become an instruction", own],
    agent: ["an agent noted it, and it would become an instruction", own],
    secret: ["the statement holds a secret, or the place of one that was taken out", other],
    wordless: [`no words of it are ${OWN}`, own],
    "no-rule": [
      `no words of it that are ${OWN} say a rule or a fact`,
      `${other}, or write it yourself: mementor note "..."`,
    ],
    "not-about": [`no words of it that are ${OWN} are about ${JSON.stringify(about)}`, own],
  };
  const [why, hint] = texts[refusal];
  return { message: `Turn ${turnId} is not promoted: ${why}.`, hint };
}

/** Shows what is added to a file. */
export function renderAddition(path: string, line: string, isNew: boolean, style: Style): string {
  return `${style.text(path)}${isNew ? " (new)" : ""}, at its end:\n${style.text(`+ ${line}`)}\n`;
}

export function renderPromoted(turnId: number, path: string, program = "mementor"): string {
  return `Turn ${turnId} is now in ${path}. No hook tells it while the line is there.\nTo remove it: ${program} note ${turnId} --undo\n`;
}
