import type { BrowseStore, SearchStore } from "../../store/store.ts";
import { compareTimes } from "../../text/when.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import type { SoughtWords } from "../statement/features.ts";
import { soughtWords } from "../worth/told.ts";
import { likeness, numbersIn, type Subject, sharedOf, subjectsOf, within } from "./alike.ts";
import { subjectOf } from "./conversation.ts";
import type { Quotation } from "./quotation.ts";
import { dialogueOf, isChanging } from "./said.ts";
import { isNote, isNoteOfPerson, type Talk, talksOf, weightOf } from "./talk.ts";

/** What the turns of one session and of others that belong together say on a question. */
export interface Matter {
  /** The newest first; what follows the first was said before it. */
  states: readonly State[];
  /** Found turns in which an agent that asked the memory only repeats what one of these says. */
  repeats: readonly Scored[];
  /** How much of it was found. */
  weight: number;
}

/** What one conversation says on a matter. */
export interface State extends Pick<Talk, "conversation" | "found"> {
  /** What was said, the most settled first. */
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
/**
 * Conversations are on one matter from this likeness on: from less where the later says that something changed, from still less
 * where that is short and no other is as like, and from more where a short one settles nothing but says another number. Of 50
 * pairs of an older and an amended decision it is 44, and in 12 of 247 questions the first and another one. A note is on the matter
 * of a conversation that has this share of its words, and of what is sought where both have it; of another note where they say
 * nearly the same. So 48 of 50 notes stand before the older words of an agent; of 66 questions with thirty notes in the memory 7
 * have a wrong note first.
 */
const ALIKE = {
  ...{ conversation: 0.18, changing: 0.14, nearest: 0.11, same: 0.3 },
  ...{ note: 0.45, notes: 0.65 },
} as const;
const NO_WORDS: Subject = new Map();

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
  return [...groups.take(MOST.matters)].map(matterOf);
}

/** Makes matters of the ranked turns where some belong together: elsewhere nothing amends anything. */
export async function amendmentsOf(
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
): Promise<Matter[]> {
  const groups = await groupsOf(ranked, sought, store);
  return [...groups].map(matterOf).filter(({ states, repeats }) => states.length + repeats.length > 1);
}

/** Puts the conversations of ranked turns together that are on one matter. */
async function groupsOf(
  ranked: readonly Scored[],
  { parts, turns }: Sought,
  store: MatterStore,
): Promise<Generator<Talk[]>> {
  const sought = soughtWords(parts);
  const unordered = await talksOf(ranked, sought, store.browse);
  const talks = unordered.toSorted((a, b) => weightOf(b) - weightOf(a));
  return together(talks, { subjects: await subjectsBy(talks, store.search, turns), sought });
}

/** What decides which conversations are on one matter: their rare words, and what is sought. */
interface Compared {
  subjects: ReadonlyMap<Talk, Subject>;
  sought: SoughtWords;
}

/** Yields each conversation, the best first, with those that are on its matter. To compare two may take long. */
function* together(talks: readonly Talk[], compared: Compared): Generator<Talk[]> {
  const free = new Set(talks);
  for (const head of talks) {
    if (!free.delete(head)) continue;
    const group = [head];
    const nearest = mostAlike(head, talks, compared);
    for (const talk of free) {
      if (group.length === MOST.states) break;
      // Two notes may be on one conversation, and not on the same of what it says.
      const others = group.filter((each) => each === head || (isNote(each) && isNote(talk)));
      if (others.every((each) => belong(each, talk, compared, nearest))) group.push(talk);
    }
    for (const talk of group) free.delete(talk);
    yield group;
  }
}

/** The conversation that is most like one. */
function mostAlike(head: Talk, talks: readonly Talk[], { subjects }: Compared): Talk | undefined {
  const likenessOf = (talk: Talk) => likeness(subjects.get(head) ?? NO_WORDS, subjects.get(talk) ?? NO_WORDS);
  const others = talks.filter((talk) => talk !== head && !isNote(talk));
  return others.toSorted((a, b) => likenessOf(b) - likenessOf(a))[0];
}

function matterOf(group: readonly Talk[]): Matter {
  const repeats = group.flatMap(({ repeatedBy }) => repeatedBy.flatMap(({ found }) => found));
  const weight = Math.max(...group.map(weightOf));
  return { states: inOrderOfWeight(group.map(stateOf)), repeats: [...new Set(repeats)], weight };
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

/** What a conversation says. Where it repeats others in part, it is not told whole. */
function stateOf({ conversation, found, says, sources }: Talk): State {
  const dialogue = sources.size > 0 ? null : dialogueOf(conversation);
  return { conversation, found, said: says().said, dialogue };
}

/** Whether two conversations are on one matter, of which the later one settles something. */
function belong(a: Talk, b: Talk, compared: Compared, nearest: Talk | undefined): boolean {
  const { subjects, sought } = compared;
  const [one, other] = [subjects.get(a) ?? NO_WORDS, subjects.get(b) ?? NO_WORDS];
  const alike = likeness(one, other);
  if (isNote(a) && isNote(b)) return alike >= ALIKE.notes;
  if (isNote(a) || isNote(b)) {
    const [note, talk] = isNote(a) ? [one, other] : [other, one];
    return within(note, talk) + sharedOf(sought, note, talk) >= ALIKE.note;
  }
  const [later, earlier] = compareTimes(timeOf(a), timeOf(b)) > 0 ? [a, b] : [b, a];
  return amends(later, earlier, { alike, isNearest: b === nearest });
}

/** Whether what was said later, and is so much like what was said before, settles it anew. */
function amends(
  later: Talk,
  earlier: Talk,
  { alike, isNearest }: { alike: number; isNearest: boolean },
): boolean {
  const changing = isNearest ? ALIKE.nearest : ALIKE.changing;
  if (alike < (isChanging(later.conversation) ? changing : ALIKE.conversation)) return false;
  const { isSettling, isBrief } = later.says();
  if (alike < ALIKE.changing && !isBrief) return false;
  return isSettling || (isBrief && alike >= ALIKE.same && saysOtherNumber(later, earlier));
}

/** Whether a conversation says a number that another one does not say. */
function saysOtherNumber(one: Talk, other: Talk): boolean {
  const [own, known] = [one, other].map(({ conversation }) => numbersIn(subjectOf(conversation)));
  return own !== undefined && known !== undefined && own.difference(known).size > 0;
}

function timeOf({ conversation }: Pick<State, "conversation">): string | null {
  return conversation.found.createdAt;
}

/**
 * Puts the newest first, and what says nothing last. Where a person wrote a note on the matter, it and what the
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
 * memory told stands behind it, and is sure of nothing.
 */
export function inOrder(
  ranked: readonly Scored[],
  matters: readonly Matter[],
  confidenceOf: (scored: Scored) => Confidence,
): { scored: Scored; confidence: Confidence }[] {
  const repeats = new Set(matters.flatMap((matter) => matter.repeats));
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
      const confidence = repeats.has(scored) ? "weak" : confidenceOf(scored);
      return [...(before.get(scored) ?? []), scored].map((each) => ({ scored: each, confidence }));
    });
  return surestFirst(ordered, ({ confidence }) => confidence);
}
