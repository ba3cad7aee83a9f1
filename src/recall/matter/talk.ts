import { NOTE } from "../../constants.ts";
import { lazily } from "../../lazily.ts";
import type { BrowseStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import type { Scored } from "../fusion.ts";
import { coveredShare, type SoughtWords } from "../statement/features.ts";
import {
  type Conversation,
  findConversation,
  includesTurn,
  mergeTurns,
  subjectText,
} from "./conversation.ts";
import { findRepeats } from "./repeated.ts";
import { type FoundStatements, findStatements } from "./said.ts";

/** Minimum share of the best score; weaker turns belong to no matter, unless they are a person's note on it. */
const RELEVANT = 0.33;
/** Weight of each further found turn of a conversation, as a share of the previous one's. */
const FURTHER = 0.4;

/** A conversation that the search found. Its statements are computed on demand, because that takes most of the time. */
export interface Discussion {
  conversation: Conversation;
  /** The found turns of the conversation, best first. */
  found: readonly Scored[];
  /** False for a note that was not found well enough to be told alone. */
  isRelevant: boolean;
  /** Share of the sought words that describe its subject, for words that stand in several of its turns. */
  covered: number;
  /** Returns its statements, without turns in which an agent repeats others after asking the memory. */
  says: () => FoundStatements;
  /** Turns of other sessions that it repeats. */
  sources: ReadonlySet<number>;
  /** Found conversations that only repeat this one. */
  repeatedBy: readonly Discussion[];
}

/**
 * Returns the weight of a conversation: its share of the sought words, and the sum over its found turns, each counting less than
 * the one before. A person's note is as complete as a conversation of many turns, so it weighs as if all of those were found; a
 * repeated conversation weighs as much as its repetition.
 */
export function discussionWeight(talk: Discussion): number {
  const sum = talk.found.reduce((sum, { score }, at) => sum + score * FURTHER ** at, 0);
  const found = isNoteOfPerson(talk) ? sum / (1 - FURTHER) : sum;
  return Math.max(talk.covered + found, ...talk.repeatedBy.map(discussionWeight));
}

/** Builds conversations from ranked turns. A conversation that only repeats others counts for those. */
export async function buildDiscussions(
  ranked: readonly Scored[],
  sought: SoughtWords,
  store: Pick<BrowseStore, "neighbours">,
  selected: readonly Scored[] = [],
  repeating: readonly Discussion[] = [],
): Promise<Discussion[]> {
  const least = RELEVANT * (ranked[0]?.score ?? 0);
  const isSource = ({ turnId }: StoredTurn) => repeating.some(({ sources }) => sources.has(turnId));
  const isRelevant = (each: Scored) => each.score >= least || isSource(each.turn) || selected.includes(each);
  const near = ranked.filter((each) => isRelevant(each) || isNoteTurnOfPerson(each));
  const turns = ranked.map(({ turn }) => turn);
  const talks = (await conversationsOf(near, store)).map((each) => ({
    ...talkOf(each, turns, sought),
    isRelevant: each.found.some(isRelevant),
  }));
  const only = talks.filter(({ sources, says }) => sources.size > 0 && !says().isSettling());
  if (only.length > 0) {
    const gone = new Set(only.flatMap(({ found }) => found));
    const others = ranked.filter((scored) => !gone.has(scored));
    return buildDiscussions(others, sought, store, selected, [...repeating, ...only]);
  }
  return talks.map((talk) => {
    const repeatedBy = repeating.filter(({ sources }) =>
      talk.conversation.turns.some(({ turnId }) => sources.has(turnId)),
    );
    return { ...talk, repeatedBy };
  });
}

interface Known {
  conversation: Conversation;
  found: Scored[];
}

/** Groups found turns by conversation. */
async function conversationsOf(
  ranked: readonly Scored[],
  store: Pick<BrowseStore, "neighbours">,
): Promise<Known[]> {
  const known: Known[] = [];
  for (const scored of ranked) {
    const holding = known.find(({ conversation }) => includesTurn(conversation, scored.turn));
    if (holding !== undefined) {
      holding.found.push(scored);
      continue;
    }
    const conversation = await findConversation(scored.turn, store);
    const overlapping = known.find((each) =>
      conversation.turns.some((turn) => includesTurn(each.conversation, turn)),
    );
    if (overlapping === undefined) known.push({ conversation, found: [scored] });
    else {
      overlapping.found.push(scored);
      overlapping.conversation = mergeTurns(overlapping.conversation, conversation);
    }
  }
  return known;
}

function talkOf(
  { conversation, found }: Known,
  sources: readonly StoredTurn[],
  sought: SoughtWords,
): Omit<Discussion, "isRelevant"> {
  const repeats = findRepeats(conversation, sources, sought);
  const own = { ...conversation, turns: conversation.turns.filter(({ turnId }) => !repeats.has(turnId)) };
  const best = found[0]?.score ?? 1;
  const relevance = ({ turnId }: StoredTurn) =>
    (found.find(({ turn }) => turn.turnId === turnId)?.score ?? 0) / Math.max(1e-6, best);
  return {
    ...{ conversation, found, repeatedBy: [] },
    covered: coveredShare(subjectText(conversation), sought),
    sources: new Set([...repeats.values()].flat()),
    says: lazily(() => findStatements(own, relevance, sought)),
  };
}

export function isNote({ conversation }: Pick<Discussion, "conversation">): boolean {
  return conversation.found.client === NOTE.client;
}

export function isNoteOfPerson({ conversation }: Pick<Discussion, "conversation">): boolean {
  return isNoteTurnOfPerson({ turn: conversation.found });
}

/** Tells whether a turn is a note that a person wrote. */
export function isNoteTurnOfPerson({ turn }: Pick<Scored, "turn">): boolean {
  return turn.client === NOTE.client && turn.origin !== "agent";
}

/** Sorts rows with notes by agents last if a person's note is among them: however many there are, they do not displace it. */
export function withAgentNotesLast<Row>(rows: readonly Row[], turnOf: (row: Row) => Scored["turn"]): Row[] {
  const isOfPerson = (row: Row) => isNoteTurnOfPerson({ turn: turnOf(row) });
  const isOfAgent = (row: Row) => turnOf(row).client === NOTE.client && !isOfPerson(row);
  if (!rows.some(isOfPerson)) return [...rows];
  return [...rows.filter((row) => !isOfAgent(row)), ...rows.filter(isOfAgent)];
}
