import { NOTE } from "../../constants.ts";
import { joined, scoredSentences } from "../../statement/choose.ts";
import { coveredBy, type SoughtWords } from "../../statement/features.ts";
import type { BrowseStore, SearchStore } from "../../store/contract/store.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { compareTimes } from "../../text/times.ts";
import { textOf } from "../../turn/parts.ts";
import { pastedIn } from "../../turn/pasted.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import { choreShare } from "../worth/occasion.ts";
import { soughtWords } from "../worth/told.ts";
import { type Conversation, conversationOf, subjectOf, turnAfter } from "./conversation.ts";
import { likeness, type Subject, subjectsOf, within } from "./likeness.ts";
import { type Quotation, quotation } from "./quotation.ts";
import { asksMemory, restates } from "./restated.ts";
import { CHORE_SHARE, settledIn } from "./settled.ts";

/** What the turns of one session and of others that belong together say on a question. */
export interface Matter {
  /** The newest first; what follows the first was said before it. */
  states: readonly State[];
}

/** What one conversation says on a matter. */
export interface State {
  /** The turn that was found, and all turns of the session that go on with its matter. */
  conversation: Conversation;
  /** The turns of the conversation that the search found, the best first. */
  found: readonly Scored[];
  /** Whether it settled something on what is asked, or ended what was so before: then it amends what is older. */
  isSettling: boolean;
  /** What was said, the most settled first. Empty where it only repeats what it was told by the memory. */
  said: readonly Quotation[];
}

/** What matters are made from. */
export interface MatterStore {
  search: Pick<SearchStore, "termTurns">;
  browse: Pick<BrowseStore, "neighbours">;
}

/** Matters at most, and states of one. */
const MOST = { matters: 3, states: 3 } as const;
/** A turn with less than these shares of the best score is of no matter, and makes none. */
const RELEVANT = { state: 0.33, head: 0.5 } as const;
/** Conversations are on one matter from this likeness on, and a note from this share of its words on. */
const ALIKE = { conversation: 0.115, note: 0.35 } as const;
/**
 * Of two conversations on one matter the less near one has at least this share of the other's score: of eight amended
 * decisions in `fixtures/ask` the least had .55, and what only shares words with the question had .44.
 */
const AS_NEAR = 0.5;
/** What settles nothing from this score on amends nothing. */
const SETTLES = 1.3;
/** Says that what was so before is so no more. */
const ENDS =
  /\b(?:(?:is|are|was|were|has been|have been) (?:deleted|removed|dropped|gone|off|switched off|replaced)|no longer|any ?more)\b/i;
/**
 * A conversation of at most so many characters is on one matter. What settles something in a longer one must itself hold
 * this share of what is asked: of 146 right answers of a real history one in seventy then stands below another.
 */
const BRIEF_CHARS = 1_500;
const BEARS = 0.6;
/** Characters of a statement, and what a statement gains with each turn that it stands later. */
const SAID_CHARS = 420;
/** Up to this length a prompt or an answer is told whole. */
const WHOLE_CHARS = 420;
const LATER = 0.25;

/**
 * Makes matters of ranked turns, the surest first. `turns` is the number of turns in the memory. `heads` are the turns that
 * make matters; those that are sure enough by their score when absent.
 */
export async function mattersOf(
  ranked: readonly Scored[],
  { parts, turns, heads }: { parts: QueryParts; turns: number; heads?: ReadonlySet<Scored> },
  store: MatterStore,
): Promise<Matter[]> {
  const least = RELEVANT.state * (ranked[0]?.score ?? 0);
  const sought = soughtWords(parts);
  const states = await statesOf(
    ranked.filter(({ score }) => score >= least),
    sought,
    store.browse,
  );
  const subjects = await subjectsOf(
    states.map(({ conversation }) => subjectOf(conversation)),
    store.search,
    turns,
  );
  const known = new Map(states.map((state, at) => [state, subjects[at] ?? new Map()]));
  const sources = ranked.map(({ turn }) => turn);
  const free = new Set(states);
  const matters: Matter[] = [];
  const near = RELEVANT.head * (ranked[0]?.score ?? 0);
  for (const head of states) {
    if (matters.length === MOST.matters) break;
    const isHead = heads === undefined ? bestScore(head) >= near : head.found.some((each) => heads.has(each));
    if (!isHead || !free.delete(head)) continue;
    const others = [...free].filter((state) => belong(head, state, known)).slice(0, MOST.states - 1);
    for (const state of others) free.delete(state);
    const all = [head, ...others].map((state) => withoutRepeated(state, sources));
    matters.push({ states: all.toSorted(newestFirst) });
  }
  return matters;
}

/** Puts found turns of one conversation together, and says what each conversation says. */
async function statesOf(
  ranked: readonly Scored[],
  sought: SoughtWords,
  store: Pick<BrowseStore, "neighbours">,
): Promise<State[]> {
  const states: { conversation: Conversation; found: Scored[] }[] = [];
  for (const scored of ranked) {
    const known = states.find(({ conversation }) =>
      conversation.turns.some(({ turnId }) => turnId === scored.turn.turnId),
    );
    if (known !== undefined) known.found.push(scored);
    else states.push({ conversation: await conversationOf(scored.turn, store), found: [scored] });
  }
  return states.map(({ conversation, found }) => {
    const isFound = (turn: StoredTurn) => found.some((each) => each.turn.turnId === turn.turnId);
    return { conversation, found, ...saidIn(conversation, isFound, sought) };
  });
}

/** What a conversation says on what is sought, the most settled and the latest first; what the found turn answered comes last. */
function saidIn(
  conversation: Conversation,
  isFound: (turn: StoredTurn) => boolean,
  sought: SoughtWords,
): Pick<State, "said" | "isSettling"> {
  const { found, turns, around, isShort } = conversation;
  if (found.client === NOTE.client || found.role !== "turn") {
    const note = joined(scoredSentences(found, sought), { chars: SAID_CHARS });
    // A summary settles nothing: it sums up what the turns before it say.
    return { said: note === null ? [] : [quotation(found, note)], isSettling: found.client === NOTE.client };
  }
  const course = { about: found, isShort, lastId: around.at(-1)?.turnId ?? null, least: SETTLES };
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  const place = (turnId: number) => turns.findIndex((turn) => turn.turnId === turnId);
  const settled = settledIn(turns, course, sought)
    .map((each) => ({ ...each, score: each.score + LATER * place(each.turnId) }))
    .toSorted((a, b) => b.score - a.score);
  const answered = turns
    .filter((turn) => turn === turns.at(-1) || isFound(turn))
    .flatMap((turn) => {
      const own = scoredSentences(turn, sought).filter(({ kind }) => kind !== "prompt" && kind !== "forward");
      const best = joined(own, { chars: SAID_CHARS });
      return best === null ? [] : [{ ...best, turnId: turn.turnId }];
    })
    .toReversed();
  const all = [...settled, ...answered].flatMap((each) => {
    const turn = byId.get(each.turnId);
    return turn === undefined ? [] : [{ turn, kind: each.kind, text: wholeIfShort(turn, each) }];
  });
  const said = distinct(all).map((each) => quotation(each.turn, each, turnAfter(conversation, each.turn)));
  const isBrief = subjectOf(conversation).length <= BRIEF_CHARS;
  const isChore = turns.every((turn) => choreShare(textOf(turn, "prompt") ?? "") >= CHORE_SHARE);
  const isSettling = isBrief
    ? !isChore && (settled.length > 0 || turns.some(({ text }) => ENDS.test(text)))
    : settled.some(({ text }) => coveredBy(text, sought) >= BEARS);
  return { said, isSettling };
}

/** A short prompt or answer is told whole: sentences taken out of it leave out what they are about. */
function wholeIfShort(turn: StoredTurn, { text, kind }: Pick<Quotation, "text" | "kind">): string {
  const whole = kind === "prompt" || kind === "answer" ? textOf(turn, kind)?.trim() : undefined;
  return whole !== undefined &&
    whole.length <= WHOLE_CHARS &&
    !whole.includes("```") &&
    !isPartlyPasted(kind, whole)
    ? whole
    : text;
}

function isPartlyPasted(kind: Quotation["kind"], text: string): boolean {
  return kind === "prompt" && pastedIn(text).length > 0;
}

/** Leaves out what a statement before it says, too. */
function distinct<Row extends { text: string }>(rows: readonly Row[]): Row[] {
  return rows.filter(({ text }, at) => !rows.slice(0, at).some((before) => before.text.includes(text)));
}

/** Whether two conversations are on one matter, of which the later one settles something. */
function belong(a: State, b: State, subjects: ReadonlyMap<State, Subject>): boolean {
  const [one, other] = [subjects.get(a) ?? new Map(), subjects.get(b) ?? new Map()];
  if (isNote(a) || isNote(b)) return within(isNote(a) ? one : other, isNote(a) ? other : one) >= ALIKE.note;
  const [low, high] = [bestScore(a), bestScore(b)].toSorted((x, y) => x - y);
  if ((low ?? 0) < AS_NEAR * (high ?? 0)) return false;
  return likeness(one, other) >= ALIKE.conversation && (isLater(a, b) ? a : b).isSettling;
}

function bestScore({ found }: State): number {
  return Math.max(...found.map(({ score }) => score));
}

function isNote({ conversation }: State): boolean {
  return conversation.found.client === NOTE.client;
}

function isLater(a: State, b: State): boolean {
  return compareTimes(timeOf(a), timeOf(b)) > 0;
}

function newestFirst(a: State, b: State): number {
  const isEmpty = (state: State) => Number(state.said.length === 0);
  return isEmpty(a) - isEmpty(b) || compareTimes(timeOf(b), timeOf(a));
}

function timeOf({ conversation }: State): string | null {
  return conversation.found.createdAt;
}

/** Leaves out what an agent only repeats in a conversation in which it asked the memory. */
function withoutRepeated(state: State, sources: readonly StoredTurn[]): State {
  const { around } = state.conversation;
  const asked = around.findIndex(asksMemory);
  if (asked < 0) return state;
  const said = state.said.filter(({ turn, kind, text }) => {
    if (kind === "prompt" || around.findIndex(({ turnId }) => turnId === turn.turnId) < asked) return true;
    const earlier = sources.filter(
      (source) => source.sessionId !== turn.sessionId && compareTimes(source.createdAt, turn.createdAt) < 0,
    );
    return !earlier.some((source) => restates(text, source));
  });
  return { ...state, said };
}

/**
 * Orders ranked turns so that what amends another one stands right before it, and is as sure. What only repeats what the
 * memory told stands behind what it repeats.
 */
export function inOrder(
  ranked: readonly Scored[],
  matters: readonly Matter[],
  confidenceOf: (scored: Scored) => Confidence,
): { scored: Scored; confidence: Confidence }[] {
  const before = new Map<Scored, Scored[]>();
  for (const { states } of matters) {
    const firsts = states.flatMap(({ found }) => found.slice(0, 1));
    const best = ranked.find((scored) => firsts.includes(scored));
    if (best !== undefined) before.set(best, firsts.slice(0, firsts.indexOf(best)));
  }
  const moved = new Set([...before.values()].flat());
  const ordered = ranked
    .filter((scored) => !moved.has(scored))
    .flatMap((scored) => {
      const confidence = confidenceOf(scored);
      return [...(before.get(scored) ?? []), scored].map((each) => ({ scored: each, confidence }));
    });
  return surestFirst(ordered, ({ confidence }) => confidence);
}
