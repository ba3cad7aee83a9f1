import type { BrowseStore, SearchStore } from "../../store/store.ts";
import { compareTimes } from "../../text/when.ts";
import { type Confidence, surestFirst } from "../confidence.ts";
import type { Scored } from "../fusion.ts";
import type { QueryParts } from "../query.ts";
import { type SoughtWords, soughtWords } from "../statement/features.ts";
import { buildSubjects, containment, likeness, numbersIn, type SubjectWords, sharedWeight } from "./alike.ts";
import { subjectText } from "./conversation.ts";
import type { Quotation } from "./quotation.ts";
import { isChanging, quoteDialogue } from "./said.ts";
import {
  buildDiscussions,
  type Discussion,
  discussionWeight,
  isNote,
  isNoteOfPerson,
  isNoteTurnOfPerson,
} from "./talk.ts";

/** The statements of one or more related sessions on a question. */
export interface Matter {
  /** The states of the matter, newest first. The first one is current; the others are older. */
  states: readonly MatterState[];
  /** Found turns in which an agent only repeats one of these states after asking the memory. */
  repeats: readonly Scored[];
  /** How much of it was found. */
  weight: number;
}

/** The statements of one conversation on a matter. */
export interface MatterState extends Pick<Discussion, "conversation" | "found" | "sources"> {
  /** The statements, most settled first. */
  said: readonly Quotation[];
  /** The whole dialogue of user and agent in order, if it is short; else null. */
  dialogue: readonly Quotation[] | null;
}

/** The stores that matters are built from. */
export interface MatterStore {
  search: Pick<SearchStore, "termTurns">;
  browse: Pick<BrowseStore, "neighbours">;
}

/** Maximum matters, states of one, and notes among further turns. */
const MOST = { matters: 3, states: 3, notes: 20 } as const;
/**
 * Likeness thresholds for conversations on one matter. A lower one applies if the later conversation announces a change, a still
 * lower one if that is short and no other is as similar, and a higher one if a short conversation settles nothing but gives
 * another number. They join 44 of 50 pairs of an older and an amended decision, and in 12 of 247 questions the first result with
 * an unrelated one. A note belongs to a conversation's matter if it has this share of its words, and of the sought words that
 * both have; two notes must be nearly equal. So 48 of 50 notes come before an agent's older words; of 66 questions with thirty
 * notes in the memory, 7 have a wrong note first.
 */
const ALIKE = {
  ...{ conversation: 0.18, changing: 0.14, nearest: 0.11, same: 0.3 },
  ...{ note: 0.45, notes: 0.65 },
} as const;
const NO_WORDS: SubjectWords = new Map();

interface Sought {
  parts: QueryParts;
  /** Number of turns in the memory. */
  turns: number;
}

/**
 * Builds matters from ranked turns, the most relevant first. Only the first may be a chore. Persons' notes among further turns may
 * be on the matter of a conversation.
 */
export async function buildMatters(
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
  further: readonly Scored[] = [],
): Promise<Matter[]> {
  const notes = further.filter(isNoteTurnOfPerson).slice(0, MOST.notes);
  const groups = await groupsOf([...ranked, ...notes], sought, store);
  // "Commit" and its answer say nothing beside what decides.
  const telling = groups.filter((group, at) => at === 0 || !group.every((talk) => talk.says().isChore));
  return [...telling.take(MOST.matters)].map((group) => matterOf(group, stateOf));
}

/**
 * Builds the matters of the chosen turns, in their order. `ranked` may have turns that amend them. `stateOf` makes the state of a
 * conversation.
 */
export async function buildMattersOf(
  chosen: readonly Scored[],
  ranked: readonly Scored[],
  sought: Sought,
  store: MatterStore,
  stateOf: (talk: Discussion) => MatterState,
): Promise<Matter[]> {
  const groups = [...(await groupsOf(ranked, sought, store, chosen))];
  const place = (group: readonly Discussion[]) => {
    const found = [...foundIn(group), ...repeatsOf(group)];
    return chosen.findIndex((each) => found.includes(each));
  };
  return groups
    .filter((group) => place(group) >= 0)
    .toSorted((a, b) => place(a) - place(b))
    .map((group) => matterOf(group, stateOf));
}

function foundIn(group: readonly Discussion[]): Scored[] {
  return group.flatMap(({ found }) => found);
}

/** Groups the conversations of ranked turns by matter. */
async function groupsOf(
  ranked: readonly Scored[],
  { parts, turns }: Sought,
  store: MatterStore,
  selected: readonly Scored[] = [],
): Promise<IteratorObject<Discussion[]>> {
  const sought = soughtWords(parts);
  const unordered = await buildDiscussions(ranked, sought, store.browse, selected);
  const talks = unordered.toSorted((a, b) => discussionWeight(b) - discussionWeight(a));
  const groups = together(talks, { subjects: await subjectsBy(talks, store.search, turns), sought });
  return groups.filter((group) => group.some(({ isRelevant }) => isRelevant));
}

/** The data for comparing conversations: their rare words, and the sought words. */
interface Compared {
  subjects: ReadonlyMap<Discussion, SubjectWords>;
  sought: SoughtWords;
}

/** Yields each conversation, best first, with those on the same matter. Comparing two may take long. */
function* together(talks: readonly Discussion[], compared: Compared): Generator<Discussion[]> {
  const free = new Set(talks);
  for (const head of talks) {
    if (!free.delete(head)) continue;
    const group = [head];
    const nearest = mostAlike(head, talks, compared);
    for (const talk of free) {
      if (group.length === MOST.states) break;
      // Two notes may concern the same conversation, but different statements of it.
      const others = group.filter((each) => each === head || (isNote(each) && isNote(talk)));
      if (others.every((each) => belong(each, talk, compared, nearest))) group.push(talk);
    }
    for (const talk of group) free.delete(talk);
    yield group;
  }
}

/** Returns the conversation that is most like one. */
function mostAlike(
  head: Discussion,
  talks: readonly Discussion[],
  { subjects }: Compared,
): Discussion | undefined {
  const own = subjects.get(head) ?? NO_WORDS;
  let most = Number.NEGATIVE_INFINITY;
  let nearest: Discussion | undefined;
  for (const talk of talks) {
    if (talk === head || isNote(talk)) continue;
    const alike = likeness(own, subjects.get(talk) ?? NO_WORDS);
    if (alike <= most) continue;
    most = alike;
    nearest = talk;
  }
  return nearest;
}

function matterOf(group: readonly Discussion[], stateOf: (talk: Discussion) => MatterState): Matter {
  const weight = Math.max(...group.map(discussionWeight));
  return { states: inOrderOfWeight(group).map(stateOf), repeats: [...new Set(repeatsOf(group))], weight };
}

function repeatsOf(group: readonly Discussion[]): Scored[] {
  return foundIn(group.flatMap(({ repeatedBy }) => repeatedBy));
}

/** Returns the rare words of conversations, if there are several to compare. */
async function subjectsBy(
  talks: readonly Discussion[],
  store: MatterStore["search"],
  turns: number,
): Promise<ReadonlyMap<Discussion, SubjectWords>> {
  if (talks.length < 2) return new Map();
  const texts = talks.map(({ conversation }) => subjectText(conversation));
  const subjects = await buildSubjects(texts, store, turns);
  return new Map(talks.map((talk, at) => [talk, subjects[at] ?? new Map()]));
}

/** Returns the state of a conversation. One that partly repeats others is not quoted whole. */
export function stateOf({ conversation, found, says, sources }: Discussion): MatterState {
  const said = says().said();
  const dialogue = sources.size > 0 ? null : quoteDialogue(conversation, said);
  return { conversation, found, sources, said, dialogue };
}

/** Tells whether two conversations are on one matter, with something settled in the later one. */
function belong(a: Discussion, b: Discussion, compared: Compared, nearest: Discussion | undefined): boolean {
  const { subjects, sought } = compared;
  const [one, other] = [subjects.get(a) ?? NO_WORDS, subjects.get(b) ?? NO_WORDS];
  const alike = likeness(one, other);
  if (isNote(a) && isNote(b)) return alike >= ALIKE.notes;
  if (isNote(a) || isNote(b)) {
    const [note, talk] = isNote(a) ? [one, other] : [other, one];
    return containment(note, talk) + sharedWeight(sought, note, talk) >= ALIKE.note;
  }
  const [later, earlier] = compareTimes(timeOf(a), timeOf(b)) > 0 ? [a, b] : [b, a];
  return amends(later, earlier, { alike, isNearest: b === nearest });
}

/** Tells whether the later words settle the earlier ones anew, given their likeness. */
function amends(
  later: Discussion,
  earlier: Discussion,
  { alike, isNearest }: { alike: number; isNearest: boolean },
): boolean {
  const changing = isNearest ? ALIKE.nearest : ALIKE.changing;
  if (alike < (isChanging(later.conversation) ? changing : ALIKE.conversation)) return false;
  const { isSettling, isBrief } = later.says();
  if (alike < ALIKE.changing && !isBrief) return false;
  return isSettling() || (isBrief && alike >= ALIKE.same && saysOtherNumber(later, earlier));
}

/** Tells whether a conversation contains a number that another one lacks. */
function saysOtherNumber(one: Discussion, other: Discussion): boolean {
  const [own, known] = [one, other].map(({ conversation }) => numbersIn(subjectText(conversation)));
  return own !== undefined && known !== undefined && own.difference(known).size > 0;
}

function timeOf({ conversation }: Pick<MatterState, "conversation">): string | null {
  return conversation.found.createdAt;
}

/**
 * Sorts conversations newest first, and those without statements last. A person's note on the matter, and the user's words, come
 * before an agent's.
 */
function inOrderOfWeight(group: readonly Discussion[]): readonly Discussion[] {
  // With nothing to sort, skip computing the statements.
  if (group.length < 2) return group;
  const hasNote = group.some(isNoteOfPerson);
  const place = (talk: Discussion) => {
    const [first] = talk.says().said();
    if (first === undefined) return 2;
    return hasNote && !isNoteOfPerson(talk) && first.kind !== "prompt" ? 1 : 0;
  };
  return group.toSorted((a, b) => place(a) - place(b) || compareTimes(timeOf(b), timeOf(a)));
}

/**
 * Reorders ranked turns: an amendment comes right before the amended turn, with the same certainty. A turn that only repeats the
 * memory comes after its source, with no certainty.
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
