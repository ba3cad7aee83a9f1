import { periodStart } from "../text/calendar.ts";
import { keywordTerms } from "../text/keywords.ts";
import { parseWhen, type Span } from "../text/when.ts";

/** So many turns tell where the work was left. */
export const LAST_TURNS = 3;

/** The time that a question about the past names. */
export interface TimeAsked {
  /** As it was typed. */
  asked: string;
  /** Its start and its end, ISO 8601, both included. */
  within: { since: string; until: string };
  /** The question without it; null where nothing else is asked than what was done then. */
  rest: string | null;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = `(?:${MONTHS.join("|")})`;
/** A month alone is often a word of its own, so it needs a year or a day. */
const TIME = new RegExp(
  `\\b(?:(?:on|in|during|from|of) )?(yesterday|today|(?:this|last) (?:week|month|year)|\\d{1,3} (?:day|week|month)s? ago|\\d{4}-\\d{2}(?:-\\d{2})?(?![-\\d])|${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4}|${MONTH},? \\d{4})(?![\\w'’-])`,
  "i",
);
/** Asks for what was, not for what the code does with a time. */
const PAST = /\b(?:did|was|were|had|have|has|happened|worked|decided|changed|said|done|talked|discussed)\b/i;
/** Words that ask for all that was done. */
const ANYTHING =
  /\b(?:happen(?:ed)?|work(?:ed|ing)?|chang(?:e|ed)|decid(?:e|ed)|discuss(?:ed)?|talk(?:ed)?|show|list|tell)\b/gi;
/** Asks for the state in which the work was left. */
const LEFT_OFF =
  /^(?:so |ok(?:ay)?,? )?(?:where (?:did|had|have|were|was) (?:we|i|you) (?:leave|left|stop|stopped|at)\b|what (?:were|was) (?:we|i|you) (?:last )?(?:doing|working on)\b|what did we do last\b)(?: off)?(?: last time)?[?.! ]*$/i;

/** Returns the time that a question names; null where it names none or asks nothing of the past. */
export function timeAsked(question: string, now: Date): TimeAsked | null {
  const match = TIME.exec(question);
  const asked = match?.[1];
  if (match === null || asked === undefined || !PAST.test(question)) return null;
  const span = spanOf(asked, now);
  if (span === null) return null;
  const rest = `${question.slice(0, match.index)} ${question.slice(match.index + match[0].length)}`
    .replace(/\s+/g, " ")
    .trim();
  const isAll = keywordTerms(rest.replace(ANYTHING, "")).length === 0;
  const within = { since: span.from.toISOString(), until: span.to.toISOString() };
  return { asked, within, rest: isAll ? null : rest };
}

/** Tells whether a question asks only where the work was left. */
export function asksLastState(question: string): boolean {
  return LEFT_OFF.test(question.trim());
}

function spanOf(said: string, now: Date): Span | null {
  const span = parseWhen(asDate(said.toLowerCase()), now);
  if (span === null || !/ago$/i.test(said)) return span;
  const day = parseWhen(periodStart(span.from, "day"), now);
  return /day/i.test(said) || day === null ? day : { from: span.from, to: now };
}

/** Writes the name of a month as its number: `14 July 2026` is `2026-07-14`. */
function asDate(said: string): string {
  const month = MONTHS.findIndex((name) => said.includes(name)) + 1;
  if (month === 0) return said;
  const [, year = ""] = /(\d{4})/.exec(said) ?? [];
  const [, day] = /\b(\d{1,2})\b/.exec(said) ?? [];
  const two = (value: number | string) => `${value}`.padStart(2, "0");
  return day === undefined ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`;
}
