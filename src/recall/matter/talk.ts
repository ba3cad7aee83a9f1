import { NOTE } from "../../constants.ts";
import { lazily } from "../../lazily.ts";
import type { BrowseStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import type { Scored } from "../fusion.ts";
import type { SoughtWords } from "../statement/features.ts";
import { type Conversation, conversationOf, holds, united } from "./conversation.ts";
import { type Said, saidIn } from "./said.ts";

/** What each further turn of a conversation that was found counts, as a share of the one before it. */
const FURTHER = 0.4;

/** A conversation that was found. To know what it says takes most of the time, so only what a matter needs is asked. */
export interface Talk {
  conversation: Conversation;
  /** The turns of the conversation that the search found, the best first. */
  found: readonly Scored[];
  says: () => Said;
}

/**
 * How much of a conversation was found: its turns, each counting less than the one before. A person's note says in one turn
 * what a conversation says in many, so it weighs as if all of those were found.
 */
export function weightOf(talk: Talk): number {
  const sum = talk.found.reduce((sum, { score }, at) => sum + score * FURTHER ** at, 0);
  return isNoteOfPerson(talk) ? sum / (1 - FURTHER) : sum;
}

/** Puts found turns of one conversation together. */
export async function talksOf(
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

export function isNote({ conversation }: Pick<Talk, "conversation">): boolean {
  return conversation.found.client === NOTE.client;
}

export function isNoteOfPerson(state: Pick<Talk, "conversation">): boolean {
  return isNote(state) && state.conversation.found.origin !== "agent";
}
