import { NOTE } from "../../constants.ts";
import { lazily } from "../../lazily.ts";
import { joined, scoredSentences } from "../../statement/choose.ts";
import { coveredBy, type SoughtWords } from "../../statement/features.ts";
import type { BrowseStore, SearchStore } from "../../store/contract/store.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { compareTimes } from "../../text/times.ts";
import { textOf } from "../../turn/parts.ts";
import { pastedIn } from "../../turn/pasted.ts";
import type { PartKind } from "../../turn/text.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import { choreShare } from "../worth/occasion.ts";
import { soughtWords } from "../worth/told.ts";
import { type Conversation, conversationOf, holds, subjectOf, turnAfter, united } from "./conversation.ts";
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
/** A turn with less than this share of the best score is of no matter. */
const RELEVANT = 0.33;
/**
 * Conversations are on one matter from this likeness on, from less where the later says that something changed, and a note
 * from this share of its words on. Of 39 pairs of an older and an amended decision in `fixtures` 21 are .18 alike, and in 13
 * of 136 questions two others; at .115 it was 32 pairs, and 90 questions.
 */
const ALIKE = { conversation: 0.18, changing: 0.14, note: 0.35 } as const;
/** What settles nothing from this score on amends nothing. */
const SETTLES = 1.3;
/** Says that what was so before is so no more, or is otherwise now. */
const CHANGES =
  /\b(?:(?:is|are|was|were|has been|have been) (?:deleted|removed|dropped|gone|off|switched off|replaced)|no longer|any ?more|from now on|instead(?: of)?|(?:changed|switched|moved|migrated|raised|lowered|set) (?:\S+ ){0,3}(?:to|from)|(?:is|are|uses?|gets?|has|have) (?:\S+ ){0,3}now|now (?:is|are|uses?|gets?))\b/i;
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
/** What answers nothing: what was asked, and what was only thought. */
const UNTOLD: readonly PartKind[] = ["prompt", "forward", "thinking"];

interface Sought {
  parts: QueryParts;
  /** Number of turns in the memory. */
  turns: number;
}

/** Makes matters of ranked turns, the surest first. */
export async function mattersOf(
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
): Promise<Matter[]> {
  const groups = await groupsOf(ranked, sought, store);
  return groups.slice(0, MOST.matters).map((group) => matterOf(group, ranked));
}

/** Makes matters of the ranked turns where some belong together: elsewhere nothing amends anything. */
export async function amendmentsOf(
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
): Promise<Matter[]> {
  const groups = await groupsOf(ranked, sought, store);
  return groups.filter(({ length }) => length > 1).map((group) => matterOf(group, ranked));
}

/** Puts the conversations of ranked turns together that are on one matter. */
async function groupsOf(
  ranked: readonly Scored[],
  { parts, turns }: Sought,
  store: MatterStore,
): Promise<Talk[][]> {
  const least = RELEVANT * (ranked[0]?.score ?? 0);
  const near = ranked.filter(({ score }) => score >= least);
  const talks = await talksOf(near, soughtWords(parts), store.browse);
  const subjects = await subjectsBy(talks, store.search, turns);
  const free = new Set(talks);
  return talks.flatMap((head) => {
    if (!free.delete(head)) return [];
    const others = [...free].filter((talk) => belong(head, talk, subjects)).slice(0, MOST.states - 1);
    for (const talk of others) free.delete(talk);
    return [[head, ...others]];
  });
}

function matterOf(group: readonly Talk[], ranked: readonly Scored[]): Matter {
  const sources = ranked.map(({ turn }) => turn);
  return { states: inOrderOfWeight(group.map((talk) => stateOf(talk, sources))) };
}

/** A conversation that was found. To know what it says takes most of the time, so only what a matter needs is asked. */
interface Talk extends Pick<State, "conversation" | "found"> {
  says: () => { said: Quotation[]; isSettling: boolean };
}

/** Puts found turns of one conversation together. */
async function talksOf(
  ranked: readonly Scored[],
  sought: SoughtWords,
  store: Pick<BrowseStore, "neighbours">,
): Promise<Talk[]> {
  const known: { conversation: Conversation; found: Scored[] }[] = [];
  for (const scored of ranked) {
    const holding = known.find(({ conversation }) => holds(conversation, scored.turn));
    if (holding !== undefined) {
      holding.found.push(scored);
      continue;
    }
    const conversation = await conversationOf(scored.turn, store);
    const overlapping = known.find((each) =>
      conversation.turns.some((turn) => holds(each.conversation, turn)),
    );
    if (overlapping === undefined) known.push({ conversation, found: [scored] });
    else {
      overlapping.found.push(scored);
      overlapping.conversation = united(overlapping.conversation, conversation);
    }
  }
  return known.map(({ conversation, found }) => {
    const isFound = (turn: StoredTurn) => found.some((each) => each.turn.turnId === turn.turnId);
    return { conversation, found, says: lazily(() => saidIn(conversation, isFound, sought)) };
  });
}

/** The rare words of conversations, where there is more than one to compare. */
async function subjectsBy(
  talks: readonly Talk[],
  store: MatterStore["search"],
  turns: number,
): Promise<ReadonlyMap<Talk, Subject>> {
  if (talks.length < 2) return new Map();
  const texts = talks.map(({ conversation }) => subjectOf(conversation));
  const subjects = await subjectsOf(texts, store, turns);
  return new Map(talks.map((talk, at) => [talk, subjects[at] ?? new Map()]));
}

/** What a conversation says, without what an agent only repeats after it asked the memory. */
function stateOf({ conversation, found, says }: Talk, sources: readonly StoredTurn[]): State {
  const { said } = says();
  const { around } = conversation;
  const asked = around.findIndex(asksMemory);
  if (asked < 0) return { conversation, found, said };
  const isNew = ({ turn, kind, text }: Quotation) => {
    if (kind === "prompt" || around.findIndex(({ turnId }) => turnId === turn.turnId) < asked) return true;
    const earlier = sources.filter(
      (source) => source.sessionId !== turn.sessionId && compareTimes(source.createdAt, turn.createdAt) < 0,
    );
    return !earlier.some((source) => restates(text, source));
  };
  return { conversation, found, said: said.filter(isNew) };
}

/** What a conversation says on what is sought, the most settled and the latest first; what the found turn answered comes last. */
function saidIn(
  conversation: Conversation,
  isFound: (turn: StoredTurn) => boolean,
  sought: SoughtWords,
): ReturnType<Talk["says"]> {
  const { found, turns, around, isShort } = conversation;
  if (found.client === NOTE.client || found.role !== "turn") {
    const note = joined(scoredSentences(found, sought), { chars: SAID_CHARS });
    // A summary settles nothing: it sums up what the turns before it say.
    return { said: note === null ? [] : [quotation(found, note)], isSettling: found.client === NOTE.client };
  }
  const course = { about: found, isShort, lastId: around.at(-1)?.turnId ?? null, least: SETTLES };
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  const place = (turnId: number) => turns.findIndex((turn) => turn.turnId === turnId);
  const scored = new Map(turns.map((turn) => [turn, scoredSentences(turn, sought)]));
  const sentences = (turn: StoredTurn) => scored.get(turn) ?? [];
  const settled = settledIn(turns, course, { sought, sentences })
    .map((each) => ({ ...each, score: each.score + LATER * place(each.turnId) }))
    .toSorted((a, b) => b.score - a.score);
  const answered = turns
    .filter((turn) => turn === turns.at(-1) || isFound(turn))
    .flatMap((turn) => {
      const own = sentences(turn).filter(({ kind }) => !UNTOLD.includes(kind));
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
    ? !isChore && (settled.length > 0 || turns.some(({ text }) => CHANGES.test(text)))
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

/** Leaves out what a statement before it says, too, and what begins with the same. */
function distinct<Row extends { text: string }>(rows: readonly Row[]): Row[] {
  const says = (one: string, other: string) => one.includes(other) || other.startsWith(one);
  return rows.filter(({ text }, at) => !rows.slice(0, at).some((before) => says(before.text, text)));
}

/** Whether two conversations are on one matter, of which the later one settles something. */
function belong(a: Talk, b: Talk, subjects: ReadonlyMap<Talk, Subject>): boolean {
  const [one, other] = [subjects.get(a) ?? new Map(), subjects.get(b) ?? new Map()];
  if (isNote(a) || isNote(b)) return within(isNote(a) ? one : other, isNote(a) ? other : one) >= ALIKE.note;
  const later = compareTimes(timeOf(a), timeOf(b)) > 0 ? a : b;
  const least = isChanging(later) ? ALIKE.changing : ALIKE.conversation;
  return likeness(one, other) >= least && later.says().isSettling;
}

function isChanging({ conversation }: Pick<State, "conversation">): boolean {
  return conversation.turns.some(({ text }) => CHANGES.test(text));
}

function isNote({ conversation }: Pick<State, "conversation">): boolean {
  return conversation.found.client === NOTE.client;
}

function timeOf({ conversation }: Pick<State, "conversation">): string | null {
  return conversation.found.createdAt;
}

/**
 * Puts the newest first, and what says nothing of its own last. Where a person wrote a note on the matter, it and what the
 * user said stand before what an agent said.
 */
function inOrderOfWeight(states: readonly State[]): State[] {
  const isOfPerson = (state: State) =>
    (isNote(state) && state.conversation.found.origin !== "agent") || state.said[0]?.kind === "prompt";
  const hasNote = states.some((state) => isNote(state) && isOfPerson(state));
  const place = (state: State) => (state.said.length === 0 ? 2 : hasNote && !isOfPerson(state) ? 1 : 0);
  return states.toSorted((a, b) => place(a) - place(b) || compareTimes(timeOf(b), timeOf(a)));
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
