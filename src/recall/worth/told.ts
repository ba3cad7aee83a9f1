import { NOTE } from "../../constants.ts";
import type { SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { isAsked } from "../../turn/text.ts";
import { countWords } from "../classify.ts";
import type { Conversation } from "../matter/conversation.ts";
import { foundFirst } from "../matter/found-first.ts";
import {
  buildMattersOf,
  type Matter,
  type MatterState,
  type MatterStore,
  stateOf,
} from "../matter/matter.ts";
import type { Quotation } from "../matter/quotation.ts";
import type { Discussion } from "../matter/talk.ts";
import type { QueryParts } from "../query.ts";
import { withWholeTexts } from "../read-to-rank.ts";
import { soughtWords } from "../statement/features.ts";
import type { JudgedResult } from "./choose.ts";
import { repetitionTest } from "./heard.ts";

/** A matter that is worth showing with a prompt. */
export interface ToldMatter extends Pick<Matter, "states"> {
  /** The selected turns that are on it. */
  turnIds: readonly number[];
  /** Probability that the most certain one is worth showing. */
  probability: number;
}

/** Maximum number of judged turns to examine for what amends a selected one. */
const EXAMINED = 8;
/** Maximum words of a question; a longer text is pasted, or a plan. */
const MAX_QUESTION_WORDS = 40;

interface ToldStores {
  search: MatterStore["search"] & Pick<SearchStore, "turns">;
  browse: MatterStore["browse"];
  /** Returns what the running session said last, turn by turn. */
  said: () => Promise<readonly string[]>;
}

interface AskedMatters {
  prompt: string;
  parts: QueryParts;
  /** Number of turns in the memory. */
  turns: number;
  /** The running session, whose later turns the agent may still see. */
  sessionId: string;
  /** Turns that must not be shown, and those shown before. */
  hidden: ReadonlySet<number>;
  toldBefore: ReadonlySet<number>;
}

/**
 * Builds the matters of the selected turns, what the found turn says first. Drops what must not be shown, and matters whose
 * current state is in the agent's context.
 */
export async function tellMatters(
  chosen: readonly JudgedResult[],
  judged: readonly JudgedResult[],
  asked: AskedMatters,
  stores: ToldStores,
): Promise<ToldMatter[]> {
  if (chosen.length === 0) return [];
  const selected = chosen.map(({ scored }) => scored);
  const ranked = [...new Set([...selected, ...judged.map(({ scored }) => scored)])].slice(0, EXAMINED);
  const turns = (await withWholeTexts(selected, stores.search)).map(({ turn }) => turn);
  const sought = soughtWords(asked.parts);
  const place = chosen.length === 1 ? "alone" : "beside";
  const told = (talk: Discussion) =>
    foundFirst(withoutTurns(talk, asked.hidden), turns, sought, place) ??
    withoutTurns(stateOf(talk), asked.hidden);
  const matters = await buildMattersOf(selected, ranked, asked, stores, told);
  const isTold = toldTest(asked, await stores.said());
  return matters.flatMap(({ states, repeats }) => {
    const found = [...states.flatMap((state) => state.found), ...repeats];
    const sure = chosen.filter(({ scored }) => found.includes(scored));
    const turnIds = sure.map(({ scored }) => scored.turn.turnId);
    const probability = Math.max(...sure.map(({ worth }) => worth.probability));
    return withStatements({ states, turnIds, probability }, isTold) ?? [];
  });
}

/** Removes turns from a conversation, whose first prompt is shown. */
function withoutTurns<Row extends { conversation: Conversation }>(
  row: Row,
  hidden: ReadonlySet<number>,
): Row {
  const turns = row.conversation.turns.filter(({ turnId }) => !hidden.has(turnId));
  return { ...row, conversation: { ...row.conversation, turns } };
}

/** Tells whether a quotation of a state may be shown. */
type QuotationTest = (quoted: Quotation, state: MatterState) => boolean;

/** Keeps the quotations of a matter that pass a test; null if its current state has none of them. */
export function withStatements(matter: ToldMatter, isKept: QuotationTest): ToldMatter | null {
  const spoken = matter.states.filter(({ said }) => said.length > 0);
  const [newest, ...older] = spoken.map((state) => {
    const passes = (quoted: Quotation) => isKept(quoted, state);
    return {
      ...state,
      said: state.said.filter(passes),
      dialogue: state.dialogue?.every(passes) ? state.dialogue : null,
    };
  });
  if (newest === undefined || newest.said.length === 0) return null;
  return { ...matter, states: [newest, ...older.filter(({ said }) => said.length > 0)] };
}

/** Returns a test of whether a quotation may be shown, and is not in the agent's context. */
function toldTest(
  { prompt, sessionId, hidden, toldBefore }: AskedMatters,
  said: readonly string[],
): QuotationTest {
  const [inPrompt, inSession] = [repetitionTest(asksWhether(prompt) ? [] : [prompt]), repetitionTest(said)];
  const isOwn = (turn: StoredTurn) => turn.sessionId === sessionId;
  const isHeard = ({ text, turn }: Quotation) => inPrompt(text) || (!isOwn(turn) && inSession(text));
  return (quoted, { said, conversation: { found } }) => {
    const { turn, next } = quoted;
    const isHidden = ({ turnId }: StoredTurn) => hidden.has(turnId);
    // Without the user's next words, an agent's may not be the last word.
    if (isHidden(turn) || toldBefore.has(turn.turnId) || (next?.turn && isHidden(next.turn))) return false;
    if (isOwn(turn) && turn.turnId !== found.turnId) return false;
    if (found.client === NOTE.client) return true;
    // If the agent already has the answer, the rest of the state only supports it.
    return !isHeard(quoted) && !said.some((each) => !isAsked(each.kind) && isHeard(each));
  };
}

/** Tells whether a prompt may ask for confirmation, as in "Did we decide to …?", because the same words may be the answer. */
function asksWhether(prompt: string): boolean {
  return /[?？]/.test(prompt) && countWords(prompt) <= MAX_QUESTION_WORDS;
}
