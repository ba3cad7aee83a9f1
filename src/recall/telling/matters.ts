import { NOTE } from "../../constants.ts";
import type { TurnOutcome } from "../../store/browse.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { cutAtWord, sentenceEnds, shorten } from "../../text/cut.ts";
import { shortHash } from "../../text/identifiers.ts";
import { onOneLine, withoutBold } from "../../text/lines.ts";
import { partText } from "../../turn/parts.ts";
import { ownPromptText } from "../../turn/title.ts";
import type { Confidence } from "../confidence.ts";
import type { Matter, MatterState } from "../matter/matter.ts";
import type { Quotation } from "../matter/quotation.ts";
import {
  type AgentData,
  type AgentText,
  type AnswerItem,
  agentData,
  harmless,
  itemTokens,
  joinText,
  named,
  type RowWriter,
  rewordText,
  showCommand,
  tell,
  textOfRow,
} from "./agent-text.ts";
import { heldWithWhom, shownDevice } from "./origin.ts";
import { nextWords, tellNext } from "./said.ts";
import { senderLabel, speakerLabel } from "./speaker.ts";

/** What came of the turns of matters. */
export interface MatterOutcomes {
  turns: ReadonlyMap<number, TurnOutcome>;
  /** Numbers of pull requests, by session. */
  prs: ReadonlyMap<string, readonly number[]>;
  /** Files of a turn that were written after it. */
  changed?: ReadonlyMap<number, readonly string[]>;
}

/** Characters of what was asked, and of a statement of the newest state and of one before it. */
const CHARS = { asked: 110, newest: 420, older: 200 } as const;
/** Characters of what the user said next. */
const NEXT_CHARS = 240;
/** How much of a matter is told: statements of its newest state, or all that was said, and states before it. */
interface Form {
  statements: number | "all";
  older: number;
}
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
/** Of what was shown before: where it stands, and what was asked there. */
const POINTER: Form = { statements: 0, older: 0 };
/** Characters of a prompt in which what was asked is looked for. */
const OPENING_CHARS = 2_000;
/** After a statement that goes on, and between sentences that do not follow each other. */
const ENDING = " …";
/** Shorter words say nothing by themselves. */
const LEAST_CHARS = 60;
/** Characters that one call shows of several turns. */
const SHOWN_CHARS = 4_000;
/** So many of a session's id name it. */
const SESSION_CHARS = 8;

/**
 * Renders matters, the surest first, each as fully as there is room. A sure first one gets what it needs, and others what it
 * leaves; where none is sure, each says something. The first one is always told, shortened if need be.
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

/** A matter as it is told with a prompt, with the turns that it quotes. */
export interface ToldItem extends AnswerItem {
  turnIds: readonly number[];
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
  /** Null where nothing is said that is not sure. */
  confidence: Confidence | null;
  outcomes: MatterOutcomes;
  /** What the asker was answered before, each answer on one line. */
  answers: readonly string[];
  /** Whether there is little room: then the command alone says which turns these are, and the user's next words are cut sooner. */
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

/** Whether the asker was told before what the newest state of a matter says. */
function isShown(matter: Pick<Matter, "states">, answers: readonly string[]): boolean {
  const said = newestOf(matter)?.said.slice(0, 3) ?? [];
  return said.length > 0 && said.every(({ text }) => isIn(onOneLine(harmless(text)), answers));
}

/** Whether an answer has the start of a statement, as text or as JSON. */
function isIn(statement: string, answers: readonly string[]): boolean {
  const start = statement.slice(0, LEAST_CHARS);
  const asJson = JSON.stringify(start).slice(1, -1);
  return answers.some((answer) => answer.includes(start) || answer.includes(asJson));
}

interface RowOptions extends Pick<MatterFacts, "outcomes" | "isBrief" | "show"> {
  statements: Form["statements"];
  isNewest: boolean;
}

/** What one conversation said: when and where, what was asked, what was said with the user's next words, what came of it. */
function stateRow(state: MatterState, options: RowOptions): ToldItem {
  const { outcomes, statements, isNewest, isBrief = false, show: command = showCommand() } = options;
  const { found } = state.conversation;
  const isWhole = statements === "all";
  const told = isWhole ? (state.dialogue ?? []) : state.said.slice(0, statements);
  const said = inOrderSaid(told, state);
  const asked = askedIn(state, said);
  const turns = state.conversation.turns.map(({ turnId }) => turnId);
  const commits = turns.flatMap((id) => outcomes.turns.get(id)?.commits ?? []).map(shortHash);
  const prs = outcomes.prs.get(found.sessionId) ?? [];
  const show = told[0]?.turn.turnId ?? found.turnId;
  const came = [
    ...listed("commit ", commits),
    ...listed(
      "pull request ",
      prs.map((pr) => `#${pr}`),
    ),
    ...listed("changed since: ", outcomes.changed?.get(found.turnId) ?? []),
    ...(isNewest && !isWhole
      ? [tell`more: ${command} ${named(wholeOf(state.conversation.turns, show))}`]
      : []),
  ];
  const text = textOfRow(found, (telling) => {
    const facts = joinText(sourceFacts(state, telling, isBrief && isNewest && !isWhole), ", ");
    const question = asked === null ? tell`` : tell`, ${named(asked.who)}: "${telling.say(asked.words)}"`;
    const head = tell`${isNewest ? tell`` : tell`Before that, `}${facts}${question}${isWhole ? tell`, every prompt and answer:` : tell``}`;
    const most = isNewest ? CHARS.newest : CHARS.older;
    const chars = isWhole || (isNewest && isBrief) ? null : most;
    const lines = said.map((quoted) => {
      const isNextBelow = said.some((other) => isNextOf(other, quoted));
      return statementLine(quoted, { chars, isNextBelow, isBrief }, telling.say);
    });
    return joinText([head, ...lines, ...(came.length > 0 ? [joinText(came, "; ")] : [])], "\n");
  });
  const data = agentData(found, {
    turn_id: show,
    turns,
    time: found.createdAt,
    session_id: found.sessionId,
    ...(found.sessionTitle !== null && {
      session_title: onOneLine(harmless(found.sessionTitle)).slice(0, CHARS.asked),
    }),
    ...(found.branch !== null && { branch: onOneLine(harmless(found.branch)).slice(0, CHARS.asked) }),
    ...(found.client === NOTE.client && { note: true }),
    ...(asked !== null && { asked: asked.words }),
    ...(asked?.by != null && { asked_by: asked.by }),
    said: said.map((quoted) => statementData(quoted, isWhole ? null : CHARS.newest)),
    ...(commits.length > 0 && { commits }),
    ...(prs.length > 0 && { pull_requests: prs }),
  });
  return { text, data, turnIds: [found.turnId, ...said.map(({ turn }) => turn.turnId)] };
}

/** Returns a line of the first of several names; none without names. */
function listed(what: string, names: readonly string[]): AgentText[] {
  return names.length === 0 ? [] : [named(`${what}${names.slice(0, 2).map(onOneLine).join(", ")}`)];
}

/** Puts statements in the order in which they were said. */
function inOrderSaid(said: readonly Quotation[], { conversation: { turns } }: MatterState): Quotation[] {
  const place = ({ turn, kind }: Quotation) =>
    2 * turns.findIndex(({ turnId }) => turnId === turn.turnId) + (kind === "prompt" ? 0 : 1);
  return said.toSorted((a, b) => place(a) - place(b));
}

/** Whether words of the user are, or begin, what they said next after another statement. */
function isNextOf({ kind, text, turn }: Quotation, { next }: Quotation): boolean {
  return (
    kind === "prompt" &&
    next?.turn?.turnId === turn.turnId &&
    next.text.startsWith(text.slice(0, LEAST_CHARS))
  );
}

/** When, in which session and turns, with which agent, and whose it is. */
function sourceFacts(
  { conversation: { found, turns } }: MatterState,
  { whose }: RowWriter,
  isBrief: boolean,
): AgentText[] {
  const held = heldWithWhom(found);
  const session = tell`session ${named(found.sessionId.slice(0, SESSION_CHARS))}`;
  return [
    named(found.createdAt?.slice(0, 10) ?? "undated"),
    ...(isBrief ? [] : [session, named(turnsOf(turns.map(({ turnId }) => turnId)))]),
    ...(held === null ? [] : [named(held)]),
    ...(found.device === undefined ? [] : [tell`said on ${named(shownDevice(found.device))}`]),
    ...whose().map((each) => rewordText(each, (name) => onOneLine(harmless(name)))),
  ];
}

function statementLine(
  quoted: Quotation,
  { chars, isNextBelow, isBrief }: { chars: number | null; isNextBelow: boolean; isBrief: boolean },
  say: (words: string) => AgentText,
): AgentText {
  const next = isNextBelow ? tell`` : tellNext(quoted, say, isBrief ? undefined : NEXT_CHARS);
  return tell`> ${named(speakerLabel(quoted))}: ${say(wordsOf(quoted, chars))}${next}`;
}

/** A quotation on one line, shortened to so many characters; whole where that is null. */
function wordsOf({ text }: Quotation, chars: number | null): string {
  const words = onOneLine(withoutBold(harmless(text)));
  return chars === null ? words : shorten(words, chars);
}

function statementData(quoted: Quotation, chars: number | null) {
  const next = nextWords(quoted, NEXT_CHARS);
  return {
    by: speakerLabel(quoted),
    text: wordsOf(quoted, chars),
    ...(next !== null && { next: `${next.speaker}: ${next.words}` }),
  };
}

/** Returns a conversation's first prompt, and its author if that is not a person; null for a note, or where a quoted statement says the same. */
function askedIn(
  { conversation }: MatterState,
  said: readonly Quotation[],
): { words: string; who: string; by: string | null } | null {
  const [first] = conversation.turns;
  const prompt = first === undefined ? null : partText(first, "prompt");
  if (prompt === null || first?.client === NOTE.client || first?.role !== "turn") return null;
  const asked = onOneLine(harmless(ownPromptText(prompt.slice(0, OPENING_CHARS))));
  if (asked === "") return null;
  if (
    said.some(
      ({ kind, text }) => kind === "prompt" && asked.startsWith(onOneLine(text).slice(0, LEAST_CHARS)),
    )
  )
    return null;
  const by = senderLabel(first);
  const words = asked.length <= CHARS.asked ? asked : cutAtWord(asked, CHARS.asked);
  return { words, who: by ?? "asked", by };
}

/** The turns to show: all of a conversation where one call has room for what was asked and answered, else the one that says most. */
function wholeOf(turns: readonly StoredTurn[], turnId: number): string {
  const ids = turns.map((turn) => turn.turnId);
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  const chars = turns
    .flatMap((turn) => [partText(turn, "prompt"), partText(turn, "answer")])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const isRange = ids.length > 1 && last - first + 1 === ids.length && chars <= SHOWN_CHARS;
  return isRange ? `${first}-${last}` : `${turnId}`;
}

function turnsOf(ids: readonly number[]): string {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  return first === last ? `turn ${first}` : `turns ${first}-${last}`;
}
