import { NOTE } from "../../constants.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { partText } from "../../turn/parts.ts";
import { isAsked } from "../../turn/text.ts";
import { saysMatter } from "../classify.ts";
import {
  joinBest,
  type ScoredSentence,
  type Statement,
  type StatementOptions,
  scoredSentences,
} from "../statement/choose.ts";
import type { SoughtWords } from "../statement/features.ts";
import { type Conversation, turnAfter } from "./conversation.ts";
import type { MatterState } from "./matter.ts";
import { type Quotation, quotation } from "./quotation.ts";
import { distinct, quoteDialogue } from "./said.ts";
import { findSettled, findUserRuling } from "./settled.ts";
import type { Discussion } from "./talk.ts";

/** Maximum sizes of a turn's statement, for a single matter and for one of several. */
const SIZE = {
  alone: { chars: 580, sentences: 5, within: 2.5 },
  beside: { chars: 280, sentences: 3, within: 1.5 },
} as const satisfies Record<string, StatementOptions>;
/**
 * Minimum certainty of an answer's best sentence, in logits. Below it, the answer says nothing on the matter: "Analysis phase, no
 * code yet."
 */
const LEAST_SAID = 0.9;

/**
 * Returns the state of a conversation from its most certain selected turn on, with the question before a prompt that names no
 * subject; null when none of its turns is selected.
 *
 * @param selected whole turns, the most certain first.
 */
export function foundFirst(
  talk: Pick<Discussion, "conversation" | "found" | "sources">,
  selected: readonly StoredTurn[],
  sought: SoughtWords,
  place: keyof typeof SIZE,
): MatterState | null {
  const whole = (turn: StoredTurn) => selected.find(({ turnId }) => turnId === turn.turnId) ?? turn;
  const { isShort } = talk.conversation;
  const turns = talk.conversation.turns.map(whole);
  const found = selected.find((turn) => turns.includes(turn));
  if (found === undefined) return null;
  const at = turns.indexOf(found);
  const prompt = partText(found, "prompt");
  const from = prompt !== null && !saysMatter(prompt) ? Math.max(0, at - 1) : at;
  const around = talk.conversation.around.map(whole);
  const conversation = { found, isShort, around, turns: turns.slice(from) };
  const others = selected.filter((turn) => turns.indexOf(turn) > at);
  const said = quoteFoundFirst(conversation, { sought, others, place });
  const dialogue = talk.sources.size > 0 ? null : quoteDialogue(conversation, said);
  return { conversation, found: talk.found, sources: talk.sources, said, dialogue };
}

/**
 * Quotes what the found turn of a conversation says on the sought words, then what later turns settled, the most settled first,
 * then what other found turns say. A prompt of which nothing else is known is quoted itself.
 */
export function quoteFoundFirst(
  conversation: Conversation,
  {
    sought,
    others = [],
    place = "alone",
  }: { sought: SoughtWords; others?: readonly StoredTurn[]; place?: keyof typeof SIZE },
): Quotation[] {
  const { found, turns, around, isShort } = conversation;
  const sentences = (turn: StoredTurn) =>
    scoredSentences(turn, sought).filter(({ kind }) => kind !== "forward");
  const own = (turn: StoredTurn) =>
    ownStatements(turn, sentences(turn), SIZE[place]).map((each) => ({ ...each, turn }));
  const later = turns.slice(turns.indexOf(found) + 1).filter((turn) => !others.includes(turn));
  const course = { about: found, isShort, lastId: around.at(-1)?.turnId ?? null };
  const settled = findSettled(later, course, { sought, sentences }).flatMap((each) => {
    const turn = later.find(({ turnId }) => turnId === each.turnId);
    return turn === undefined ? [] : [{ ...each, turn }];
  });
  const all = [...own(found), ...settled, ...others.flatMap(own)];
  const echo = all.length > 0 ? null : joinBest(sentences(found), SIZE[place]);
  return distinct(echo === null ? all : [{ ...echo, turn: found }]).map((each) =>
    quotation(each.turn, each, turnAfter(conversation, each.turn)),
  );
}

/** Returns the user's settling statement in a turn's prompt, if any, and the answer. The prompt alone would echo a question. */
function ownStatements(
  turn: StoredTurn,
  sentences: readonly ScoredSentence[],
  size: StatementOptions,
): Statement[] {
  if (turn.client === NOTE.client || turn.role !== "turn")
    return [joinBest(sentences, size)].filter((note) => note !== null);
  const answered = joinBest(
    sentences.filter(({ kind }) => !isAsked(kind)),
    size,
  );
  const isSaid = answered !== null && answered.score >= LEAST_SAID;
  return [findUserRuling(turn, sentences), isSaid ? answered : null].filter((each) => each !== null);
}
