import { sentenceEnds, shorten } from "../../text/cut.ts";
import { onOneLine } from "../../text/lines.ts";
import type { Confidence } from "../confidence.ts";
import type { Matter, MatterState } from "../matter/matter.ts";
import type { Quotation } from "../matter/quotation.ts";
import {
  type AgentData,
  type AgentText,
  type AnswerItem,
  harmless,
  itemTokens,
  joinText,
  named,
  tell,
} from "./agent-text.ts";
import {
  type Form,
  LEAST_CHARS,
  type MatterOutcomes,
  SESSION_CHARS,
  stateRow,
  type ToldItem,
  wordsOf,
} from "./state-row.ts";

/** A matter gets the first of these that fits: a short conversation is told whole. */
const OLDER = [2, 1, 0];
const WHOLE = OLDER.map((older): Form => ({ statements: "all", older }));
const PARTS: readonly Form[] = [
  { statements: 4, older: 2 },
  { statements: 3, older: 1 },
  { statements: 2, older: 1 },
  { statements: 2, older: 0 },
];
/** Statements of a matter that a hook tells, at most. */
const TOLD = 3;
const LEAST: Form = { statements: 1, older: 0 };
/** Form for statements shown before: only the source and the prompt. */
const POINTER: Form = { statements: 0, older: 0 };
/** After a statement that goes on, and between sentences that do not follow each other. */
const ENDING = " …";
/**
 * Renders matters, the most certain first, as fully as they fit. A certain first matter gets the room it needs; without one,
 * every matter gets some. The first is always shown, shortened if necessary.
 */
export function matterItems(
  matters: readonly Matter[],
  { chars, tokens, ...facts }: MatterFacts & { chars: number; tokens: number },
): AnswerItem[] {
  const least = matters.map((matter, at) =>
    matterItem(matter, at, formsOf(matter, facts).at(-1) ?? LEAST, facts),
  );
  const items: AnswerItem[] = [];
  let left = { chars, tokens };
  for (const [at, matter] of matters.entries()) {
    const after = facts.confidence === "weak" ? least.slice(at + 1) : [];
    const room = after.reduce(lessOf, left);
    const fits = (item: AnswerItem) => item.text.length + 2 <= room.chars && itemTokens(item) <= room.tokens;
    const forms = formsOf(matter, facts).map((form) => () => matterItem(matter, at, form, facts));
    const item = firstThat(fits, forms) ?? (at === 0 ? least[at] : undefined);
    if (item === undefined) break;
    items.push(item);
    left = lessOf(left, item);
  }
  return items;
}

/**
 * Renders the matter at a place of a hook's text in so many characters: a short conversation whole, else each statement that fits.
 * The first one is shortened between sentences if need be, in the first matter also within one. Null where it does not fit.
 */
export function toldItem(
  { states: [newest, ...older] }: Pick<Matter, "states">,
  at: number,
  chars: number,
  facts: Omit<MatterFacts, "confidence" | "answers">,
): ToldItem | null {
  const [first, ...others] = newest?.said ?? [];
  if (newest === undefined || first === undefined) return null;
  const told = { ...facts, answers: [], confidence: null, isBrief: true };
  const render = (said: readonly Quotation[], form: Form) =>
    matterItem({ states: [{ ...newest, said }, ...older] }, at, form, told);
  const fits = ({ text }: AnswerItem) => text.length <= chars;
  const whole =
    newest.dialogue &&
    firstThat(
      fits,
      WHOLE.map((form) => () => render([first], form)),
    );
  if (whole) return whole;
  const least = render([first], LEAST);
  if (!fits(least)) {
    const cut = shortened(first, least.text.length - chars, at === 0);
    return cut && firstThat(fits, [() => render([cut], LEAST)]);
  }
  const said = [first];
  for (const each of others)
    if (said.length < TOLD && fits(render([...said, each], { statements: TOLD, older: 0 }))) said.push(each);
  return firstThat(
    fits,
    OLDER.map((older) => () => render(said, { statements: TOLD, older })),
  );
}

/** Shortens a statement by so many characters, between two of its sentences or else within one; null if too little is left. */
function shortened(quoted: Quotation, by: number, mayCut: boolean): Quotation | null {
  const words = wordsOf(quoted, null);
  const chars = words.length - by;
  if (chars < LEAST_CHARS) return null;
  const head = words.slice(0, chars - ENDING.length);
  const end = Math.max(sentenceEnds(head).at(-1) ?? 0, head.lastIndexOf(ENDING));
  if (end < chars / 2) return mayCut ? { ...quoted, text: shorten(words, chars) } : null;
  const text = head.slice(0, end).trimEnd();
  return { ...quoted, text: text.endsWith("…") ? text : `${text}${ENDING}` };
}

type Room = { chars: number; tokens: number };

function lessOf({ chars, tokens }: Room, item: AnswerItem): Room {
  return { chars: chars - item.text.length - 2, tokens: tokens - itemTokens(item) };
}

/** Returns the forms in which a matter may be told, the fullest first. */
function formsOf(matter: Matter, { answers }: MatterFacts): readonly Form[] {
  if (isShown(matter, answers)) return [POINTER];
  return [...(newestOf(matter)?.dialogue ? WHOLE : []), ...PARTS, LEAST];
}

/** The newest state that says something of its own. */
function newestOf({ states }: Pick<Matter, "states">): MatterState | undefined {
  return states.find(({ said }) => said.length > 0) ?? states[0];
}

function firstThat<Item extends AnswerItem>(
  fits: (item: AnswerItem) => boolean,
  forms: readonly (() => Item)[],
): Item | null {
  for (const form of forms) {
    const item = form();
    if (fits(item)) return item;
  }
  return null;
}

interface MatterFacts {
  /** Null to leave out the remark on certainty. */
  confidence: Confidence | null;
  outcomes: MatterOutcomes;
  /** What the asker was answered before, each answer on one line. */
  answers: readonly string[];
  /**
   * True if there is little room: then the command alone says which turns these are, and the user's next words are cut sooner.
   */
  isBrief?: boolean;
  /** The start of the command that shows a turn, and the project that the matter is from, where it is another one. */
  show?: AgentText;
  from?: AgentText;
}

function matterItem(
  matter: Pick<Matter, "states">,
  at: number,
  { statements, older: before }: Form,
  { confidence, answers, from = tell``, ...facts }: MatterFacts,
): ToldItem {
  const { states } = matter;
  const spoken = states.filter(({ said }) => said.length > 0);
  const rows = (spoken.length > 0 ? spoken : states)
    .slice(0, 1 + before)
    .map((state, place) =>
      stateRow(state, { ...facts, statements: place > 0 ? 1 : statements, isNewest: place === 0 }),
    );
  const isBefore = isShown(matter, answers);
  const number = tell`${at + 1}. ${at === 0 && confidence !== null ? named(`(${confidence}) `) : tell``}${isBefore ? tell`shown before: ` : tell``}${from}`;
  const [newest, ...older] = rows;
  const text = joinText(
    rows.map((row) => row.text),
    "\n",
  );
  const data = {
    ...newest?.data,
    ...(isBefore && { shown_before: true }),
    ...(older.length > 0 && { before_that: older.map((row) => row.data) }),
  };
  const turnIds = rows.flatMap((row) => row.turnIds);
  return { text: tell`${number}${text}`, data: data as unknown as AgentData, turnIds };
}

/**
 * Tells whether an earlier answer already showed the newest state of a matter. Other sessions may have its short words, too:
 * "yes".
 */
function isShown(matter: Pick<Matter, "states">, answers: readonly string[]): boolean {
  const said = newestOf(matter)?.said.slice(0, 3) ?? [];
  const ofSession = ({ turn: { sessionId } }: Quotation) =>
    answers.filter((answer) => answer.includes(sessionId.slice(0, SESSION_CHARS)));
  return said.length > 0 && said.every((each) => isIn(onOneLine(harmless(each.text)), ofSession(each)));
}

/** Tells whether an answer has the start of a statement, as text or as JSON. */
function isIn(statement: string, answers: readonly string[]): boolean {
  const start = statement.slice(0, LEAST_CHARS);
  const asJson = JSON.stringify(start).slice(1, -1);
  return answers.some((answer) => answer.includes(start) || answer.includes(asJson));
}
