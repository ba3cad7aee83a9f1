import type { BrowseStore, SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { compareTimes } from "../../text/when.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import { soughtWords } from "../worth/told.ts";
import { likeness, type Subject, subjectsOf, within } from "./alike.ts";
import { subjectOf } from "./conversation.ts";
import type { Quotation } from "./quotation.ts";
import { asksMemory, restates } from "./repeated.ts";
import { dialogueOf, isChanging } from "./said.ts";
import { isNote, isNoteOfPerson, type Talk, talksOf, weightOf } from "./talk.ts";

/** What the turns of one session and of others that belong together say on a question. */
export interface Matter {
  /** The newest first; what follows the first was said before it. */
  states: readonly State[];
}

/** What one conversation says on a matter. */
export interface State extends Pick<Talk, "conversation" | "found"> {
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
