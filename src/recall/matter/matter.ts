import { NOTE } from "../../constants.ts";
import { lazily } from "../../lazily.ts";
import type { BrowseStore, SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { keywordTerms } from "../../text/keywords.ts";
import { compareTimes } from "../../text/when.ts";
import { shareOfTexts } from "../common-words.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import { type QueryParts, RARE_SHARE, RARE_TURNS, rarityOf } from "../query.ts";
import type { SoughtWords } from "../statement/features.ts";
import { wordForm } from "../word-form.ts";
import { soughtWords } from "../worth/told.ts";
import { type Conversation, conversationOf, holds, subjectOf, united } from "./conversation.ts";
import type { Quotation } from "./quotation.ts";
import { asksMemory, restates } from "./repeated.ts";
import { dialogueOf, isChanging, type Said, saidIn } from "./said.ts";

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
  /** All that the user and the agent said to each other, in order, where that is short; else null. */
  dialogue: readonly Quotation[] | null;
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
 * Conversations are on one matter from this likeness on, from less where the later says that something changed, a note
 * from this share of its words on, and two notes where they say nearly the same. Of 39 pairs of an older and an amended decision in `fixtures` 21 are .18 alike, and in 13
 * of 136 questions two others; at .115 it was 32 pairs, and 90 questions.
 */
const ALIKE = { conversation: 0.18, changing: 0.14, note: 0.35, notes: 0.65 } as const;
/** What each further turn of a conversation that was found counts, as a share of the one before it. */
const FURTHER = 0.4;

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
  return [...groups.take(MOST.matters)].map((group) => matterOf(group, ranked));
}

/** Makes matters of the ranked turns where some belong together: elsewhere nothing amends anything. */
export async function amendmentsOf(
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
): Promise<Matter[]> {
  const groups = await groupsOf(ranked, sought, store);
  return [...groups].filter(({ length }) => length > 1).map((group) => matterOf(group, ranked));
}

/** Puts the conversations of ranked turns together that are on one matter. */
async function groupsOf(
  ranked: readonly Scored[],
  { parts, turns }: Sought,
  store: MatterStore,
): Promise<Generator<Talk[]>> {
  const least = RELEVANT * (ranked[0]?.score ?? 0);
  const near = ranked.filter(({ score }) => score >= least);
  const unordered = await talksOf(near, soughtWords(parts), store.browse);
  const talks = unordered.toSorted((a, b) => weightOf(b) - weightOf(a));
  return together(talks, await subjectsBy(talks, store.search, turns));
}

/** Yields each conversation, the best first, with those that are on its matter. To compare two may take long. */
function* together(talks: readonly Talk[], subjects: ReadonlyMap<Talk, Subject>): Generator<Talk[]> {
  const free = new Set(talks);
  for (const head of talks) {
    if (!free.delete(head)) continue;
    const group = [head];
    for (const talk of free) {
      if (group.length === MOST.states) break;
      // Two notes may be on one conversation, and not on the same of what it says.
      const compared = group.filter((each) => each === head || (isNote(each) && isNote(talk)));
      if (compared.every((each) => belong(each, talk, subjects))) group.push(talk);
    }
    for (const talk of group) free.delete(talk);
    yield group;
  }
}

function matterOf(group: readonly Talk[], ranked: readonly Scored[]): Matter {
  const sources = ranked.map(({ turn }) => turn);
  return { states: inOrderOfWeight(group.map((talk) => stateOf(talk, sources))) };
}

/** A conversation that was found. To know what it says takes most of the time, so only what a matter needs is asked. */
interface Talk extends Pick<State, "conversation" | "found"> {
  says: () => Said;
}

/**
 * How much of a conversation was found: its turns, each counting less than the one before. A person's note says in one turn
 * what a conversation says in many, so it weighs as if all of those were found.
 */
function weightOf(talk: Talk): number {
  const sum = talk.found.reduce((sum, { score }, at) => sum + score * FURTHER ** at, 0);
  return isNoteOfPerson(talk) ? sum / (1 - FURTHER) : sum;
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
  if (asked < 0) return { conversation, found, said, dialogue: dialogueOf(conversation) };
  const isNew = ({ turn, kind, text }: Quotation) => {
    if (kind === "prompt" || around.findIndex(({ turnId }) => turnId === turn.turnId) < asked) return true;
    const earlier = sources.filter(
      (source) => source.sessionId !== turn.sessionId && compareTimes(source.createdAt, turn.createdAt) < 0,
    );
    return !earlier.some((source) => restates(text, source));
  };
  return { conversation, found, said: said.filter(isNew), dialogue: null };
}

/** Whether two conversations are on one matter, of which the later one settles something. */
function belong(a: Talk, b: Talk, subjects: ReadonlyMap<Talk, Subject>): boolean {
  const [one, other] = [subjects.get(a) ?? new Map(), subjects.get(b) ?? new Map()];
  if (isNote(a) && isNote(b)) return likeness(one, other) >= ALIKE.notes;
  if (isNote(a) || isNote(b)) return within(isNote(a) ? one : other, isNote(a) ? other : one) >= ALIKE.note;
  const later = compareTimes(timeOf(a), timeOf(b)) > 0 ? a : b;
  const least = isChanging(later.conversation) ? ALIKE.changing : ALIKE.conversation;
  return likeness(one, other) >= least && later.says().isSettling;
}

function isNote({ conversation }: Pick<State, "conversation">): boolean {
  return conversation.found.client === NOTE.client;
}

function isNoteOfPerson(state: Pick<State, "conversation">): boolean {
  return isNote(state) && state.conversation.found.origin !== "agent";
}

function timeOf({ conversation }: Pick<State, "conversation">): string | null {
  return conversation.found.createdAt;
}

/**
 * Puts the newest first, and what says nothing of its own last. Where a person wrote a note on the matter, it and what the
 * user said stand before what an agent said.
 */
function inOrderOfWeight(states: readonly State[]): State[] {
  const isOfPerson = (state: State) => isNoteOfPerson(state) || state.said[0]?.kind === "prompt";
  const hasNote = states.some(isNoteOfPerson);
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

/** Words of a text that are looked at, and the rarest of them that are compared. */
const WORDS = { read: 600, compared: 60 } as const;

/** The words of a text with their rarity in this memory, in nats. */
type Subject = ReadonlyMap<string, number>;

/** Returns the rare words of texts, weighed by how few turns of this memory have them. */
async function subjectsOf(
  texts: readonly string[],
  store: Pick<SearchStore, "termTurns">,
  turns: number,
): Promise<Subject[]> {
  const read = texts.map((text) => keywordTerms(text, WORDS.read));
  const shares = new Map([...new Set(read.flat())].map((word) => [word, shareOfTexts(word)]));
  const share = (word: string) => shares.get(word) ?? 0;
  const words = read.map((each) => rarest(each, share));
  const maxTurns = Math.max(RARE_TURNS, Math.floor(turns * RARE_SHARE));
  const held = await store.termTurns([...new Set(words.flat())], maxTurns);
  const rarity = (word: string) =>
    rarityOf(share(word), held.get(word)?.length ?? Math.max(maxTurns, turns / 2), turns);
  return words.map((each) => new Map(each.map((word) => [wordForm(word), rarity(word)])));
}

function rarest(words: readonly string[], share: (word: string) => number): readonly string[] {
  if (words.length <= WORDS.compared) return words;
  return words.toSorted((a, b) => share(a) - share(b)).slice(0, WORDS.compared);
}

/** How much two texts are about the same, 0 to 1: the cosine of their rare words. */
function likeness(a: Subject, b: Subject): number {
  const size = (words: Subject) =>
    Math.sqrt([...words.values()].reduce((sum, rarity) => sum + rarity ** 2, 0));
  return shared(a, b, 2) / Math.max(1e-6, size(a) * size(b));
}

/** How much of a text, by its rare words, is in another one, 0 to 1. */
function within(small: Subject, large: Subject): number {
  const total = [...small.values()].reduce((sum, rarity) => sum + rarity, 0);
  return shared(small, large, 1) / Math.max(1e-6, total);
}

function shared(a: Subject, b: Subject, power: number): number {
  let sum = 0;
  for (const [word, rarity] of a) if (b.has(word)) sum += rarity ** power;
  return sum;
}
