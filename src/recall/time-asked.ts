import { keywordTerms } from "../text/keywords.ts";
import { parseWhen, type TimeSpan } from "../text/when.ts";

/** Number of last turns that show where the work stopped. */
export const LAST_TURNS = 3;

/** A time in a question about the past. */
export interface TimeAsked {
  /** The time as typed. */
  asked: string;
  /** Its start and end, ISO 8601, both inclusive. */
  within: { since: string; until: string };
  /** The question without the time; null when it only asks what was done then. */
  rest: string | null;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const [MONTH, WEEKDAY] = [`(${MONTHS.join("|")})`, `(${WEEKDAYS.join("|")})`];
const COUNT = `(\\d{1,3}|an?|a couple of|a few|few|couple of|${NUMBERS.join("|")})`;
const UNIT = "(day|week|month|year)s?";
const PART = "(?: (?:morning|afternoon|evening|night))?";
const NTH = "(\\d{1,2})(st|nd|rd|th)?";
/** End of a part of the question, where a time of several words must be. */
const END = "(?=\\s*(?:$|[?.!,;:]))";

type Meaning = (groups: readonly (string | undefined)[], now: Date) => TimeSpan | null;

/** Forms of times, the longest first. A month, a weekday or a year alone is often an ordinary word. */
const FORMS: readonly (readonly [pattern: string, meaning: Meaning])[] = [
  [`the day before yesterday${PART}`, (_, now) => daysAgo(2, now)],
  [`(?<!\\b(?:the|an?|our|that|each|every) )(?:yesterday${PART}|last night)`, (_, now) => daysAgo(1, now)],
  [
    "(?<!\\b(?:the|an?|our|that|each|every) )(?:earlier today|today|tonight|this (?:morning|afternoon|evening))",
    (_, now) => daysAgo(0, now),
  ],
  [
    "(this|last|past|previous) (week|month|year)",
    ([which, part], now) => parseWhen(`${which === "this" ? "this" : "last"} ${part}`, now),
  ],
  [`(?:last|past|previous) ${COUNT} ${UNIT}`, ([count, unit], now) => untilNow(agoOf(count, unit, now), now)],
  [`${COUNT} ${UNIT} ago`, ([count, unit], now) => around(agoOf(count, unit, now), unit, now)],
  ["(\\d{4}-\\d{2}(?:-\\d{2})?)(?![-\\d])", ([date], now) => parseWhen(date ?? "", now)],
  [
    `${NTH}( of)? ${MONTH}(?:,? (\\d{4}))?`,
    ([day, nth, of, month, year], now) =>
      month === "may" && (nth ?? of ?? year) === undefined ? null : dateOf(now, month, day, year),
  ],
  [
    `${MONTH} ${NTH}(?:,? (\\d{4})|(?<=[a-z])|${END})`,
    ([month, day, , year], now) => dateOf(now, month, day, year),
  ],
  [`${MONTH},? (\\d{4})`, ([month, year], now) => dateOf(now, month, undefined, year)],
  [`(?<=\\b(?:in|during|since|last|of) )${MONTH}`, ([month], now) => dateOf(now, month)],
  [
    `(?:last|this) ${WEEKDAY}${PART}|(?<=\\bsince )${WEEKDAY}|(?<=\\bon )${WEEKDAY}${PART}${END}`,
    (days, now) => lastWeekday(days.find((day) => day !== undefined) ?? "", now),
  ],
  ["(?<=\\b(?:in|during|since) )(20\\d{2})", ([year], now) => parseWhen(year ?? "", now)],
];
const LEAD = "\\b(?:(since|on|in|during|from|of|over|within|for) )?(?:the (?=last|past|previous|\\d))?";
const TIMES = FORMS.map(
  ([pattern, meaning]) => [new RegExp(`${LEAD}(${pattern})(?![\\w'’-])`, "i"), meaning] as const,
);

/** Questions about the past, rather than about code that handles times. */
const PAST =
  /\b(?:did|was|were|had|have|has|happened|worked|decided|changed|said|done|talked|discussed|agreed|settled|broke|fixed|shipped|merged|built|made|tried|learn(?:ed|t)|wrote|went|chose|show|list|recap|summar\w+|(?:work|decisions|changes|commits) (?:of|from|in|since|on))\b/i;
/** Phrases that ask for all work. */
const ANYTHING =
  /\b(?:happen(?:ed)?|work(?:ed|ing)?|chang(?:e|ed|es)|decid(?:e|ed)|decisions?|discuss(?:ed)?|talk(?:ed)?|show|list|tell|recap|summar(?:y|ise|ize)|everything|anything|earlier)\b/gi;
/** Phrases that ask where the work stopped. */
const LEFT_OFF =
  /^(?:(?:so|and|ok(?:ay)?|hi|hello),? )?(?:(?:let['’]?s |please |can you )?(?:continue|pick (?:it |this )?up|resume|go on|carry on|start)(?: again)?(?: from)? where (?:we|i|you) (?:left|stopped|were)|where (?:did|had|have|were|was) (?:we|i|you) (?:leave|left|stop|stopped|at)\b|where (?:were|are|was) (?:we|i)\b|what (?:were|was) (?:we|i|you) (?:last )?(?:doing|working on)\b|what did (?:we|i) do last\b)(?: (?:it|this|things))?(?: off)?(?: last time| before| now)?[?.! ]*$/i;

/** Returns the time in a question; null if there is none, or the question is not about the past. */
export function timeAsked(question: string, now: Date): TimeAsked | null {
  if (!PAST.test(question)) return null;
  for (const [time, meaning] of TIMES) {
    const match = time.exec(question);
    const [whole, lead, asked, ...groups] = match ?? [];
    if (match === null || whole === undefined || asked === undefined) continue;
    const named = meaning(
      groups.map((group) => group?.toLowerCase()),
      now,
    );
    const span = lead?.toLowerCase() === "since" ? untilNow(named, now) : named;
    if (span === null) continue;
    const rest = `${question.slice(0, match.index)} ${question.slice(match.index + whole.length)}`
      .replace(/\s+/g, " ")
      .trim();
    const isAll = keywordTerms(rest.replace(ANYTHING, "")).length === 0;
    return {
      asked: lead?.toLowerCase() === "since" ? `${lead} ${asked}` : asked,
      within: { since: span.from.toISOString(), until: span.to.toISOString() },
      rest: isAll ? null : rest,
    };
  }
  return null;
}

/** Tells whether a question only asks where the work stopped. */
export function asksLastState(question: string): boolean {
  return LEFT_OFF.test(question.trim());
}

function daysAgo(days: number, now: Date): TimeSpan {
  const start = (day: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - day);
  return { from: start(days), to: new Date(start(days - 1).getTime() - 1) };
}

function agoOf(count: string | undefined, unit: string | undefined, now: Date): TimeSpan | null {
  return parseWhen(`${numberOf(count ?? "")} ${unit} ago`, now);
}

function numberOf(said: string): number {
  if (/^\d/.test(said)) return Number(said);
  if (said.includes("few")) return 3;
  if (said.includes("couple")) return 2;
  return Math.max(1, NUMBERS.indexOf(said));
}

/** Returns the range of a relative time. One day ago is that day; longer ago is less exact, and reaches until now. */
function around(moment: TimeSpan | null, unit: string | undefined, now: Date): TimeSpan | null {
  if (moment === null || unit !== "day") return untilNow(moment, now);
  const { from } = moment;
  return daysAgo(0, new Date(from.getFullYear(), from.getMonth(), from.getDate()));
}

function untilNow(span: TimeSpan | null, now: Date): TimeSpan | null {
  return span && { from: span.from, to: now };
}

/** Returns the range of a day or a month; without a year, of the last one that has begun. */
function dateOf(now: Date, month = "", day?: string, year?: string): TimeSpan | null {
  const at = MONTHS.indexOf(month) + 1;
  const two = (value: number | string) => `${value}`.padStart(2, "0");
  const spanIn = (some: number | string) =>
    parseWhen(`${some}-${two(at)}${day === undefined ? "" : `-${two(day)}`}`, now);
  if (year !== undefined) return spanIn(year);
  const span = spanIn(now.getFullYear());
  return span !== null && span.from > now ? spanIn(now.getFullYear() - 1) : span;
}

/** Returns the last day of this name before today. */
function lastWeekday(name: string, now: Date): TimeSpan {
  const back = (now.getDay() - WEEKDAYS.indexOf(name) + 7) % 7;
  return daysAgo(back === 0 ? 7 : back, now);
}
