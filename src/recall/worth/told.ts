import { NOTE } from "../../constants.ts";
import type { RecallStore } from "../../store/marks.ts";
import type { SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { CUES } from "../../turn/cues.ts";
import { partText } from "../../turn/parts.ts";
import { ownWords } from "../../turn/pasted.ts";
import { splitSentences } from "../../turn/sentences.ts";
import { isSaid } from "../../turn/text.ts";
import { countWords, saysMatter } from "../classify.ts";
import type { Scored } from "../fusion.ts";
import { type Quotation, quotation } from "../matter/quotation.ts";
import { findUserRuling, laterDecisions } from "../matter/settled.ts";
import type { QueryParts } from "../query.ts";
import { withWholeTexts } from "../read-to-rank.ts";
import {
  joinBest,
  type ScoredSentence,
  type Statement,
  type StatementOptions,
  scoredSentences,
} from "../statement/choose.ts";
import type { SoughtWords } from "../statement/features.ts";
import { wordForm } from "../word-form.ts";
import { heardTest } from "./heard.ts";
import { ownSession } from "./own-session.ts";

/** A turn that is worth showing, with the statements to show. */
export interface ToldTurn {
  turn: StoredTurn;
  /** Probability that it is worth showing. */
  probability: number;
  /** Statements on the matter: the turn's own first, then those of later turns that settled it. */
  statements: Quotation[];
  /** The question that the turn's prompt answered, if the prompt alone says nothing; null for most. */
  before: string | null;
}

/** Maximum sizes of a statement and of later turns' statements, for a single turn and for one of several. */
const SIZE = {
  alone: { chars: 580, sentences: 5, within: 2.5 },
  beside: { chars: 280, sentences: 3, within: 1.5 },
} as const satisfies Record<string, StatementOptions>;
const LATER = { alone: 2, beside: 1 } as const;
/**
 * Minimum certainty of an answer's best sentence, in logits. Below it, the answer says nothing on the matter: "Analysis phase, no
 * code yet."
 */
const LEAST_SAID = 0.9;
/** Maximum words of a question; a longer text is pasted, or a plan. */
const MAX_QUESTION_WORDS = 40;
type ToldStores = {
  search: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "turnsAfter" | "turnsBefore" | "latestTurns">;
  saidNow?: (() => Promise<string>) | undefined;
};

/** Turns that must not be quoted, and turns that are shown by themselves. */
interface Unquoted {
  hidden: ReadonlySet<number>;
  told: ReadonlySet<number>;
  /** The running session, whose later turns the agent may still see. */
  sessionId: string;
  prompt: string;
}

/** Returns the statements to show for each turn. Drops turns without words, or whose words are all in the agent's context. */
export async function toldTurns(
  chosen: readonly { scored: Scored; probability: number }[],
  parts: QueryParts,
  stores: ToldStores,
  { hidden, told: others, sessionId, prompt }: Unquoted,
): Promise<ToldTurn[]> {
  if (chosen.length === 0) return [];
  const said = await ownSession(sessionId, { ...stores, store: stores.search });
  const [inPrompt, inSession] = [heardTest(asksWhether(prompt) ? [] : [prompt]), heardTest(said)];
  const sought = soughtWords(parts);
  const place = chosen.length === 1 ? "alone" : "beside";
  const told: ToldTurn[] = [];
  const whole = await withWholeTexts(
    chosen.map(({ scored: { turn }, probability }) => ({ turn, probability })),
    stores.search,
  );
  for (const { turn, probability } of whole) {
    const isOwn = turn.sessionId === sessionId;
    const isHeard = ({ text }: Statement) => inPrompt(text) || (!isOwn && inSession(text));
    const settled = isOwn ? [] : await laterDecisions(turn, sought, stores);
    const isTold = ({ text }: Statement) =>
      told.some(({ statements }) => statements.some((each) => each.text === text));
    const later = settled.filter(
      (each) => !hidden.has(each.turnId) && !others.has(each.turnId) && !isTold(each) && !isHeard(each),
    );
    const all = ownStatements(turn, sought, SIZE[place]);
    // The agent already has the answer, and the rest of the turn only supports it.
    if (turn.client !== NOTE.client && all.some((each) => each.kind !== "prompt" && isHeard(each))) continue;
    const own = all.filter((each) => (each.kind === "prompt" ? !isHeard(each) : each.score >= LEAST_SAID));
    const echo = all.length + later.length === 0 ? echoOf(turn, sought, SIZE[place]) : [];
    const statements = await quotations(
      turn,
      [
        ...[...own, ...echo].map((each) => ({ ...each, turnId: turn.turnId })),
        ...later.slice(0, LATER[place]),
      ],
      stores,
      hidden,
    );
    if (statements.length > 0)
      told.push({ turn, probability, statements, before: await questionBefore(turn, stores, hidden) });
  }
  return told;
}

/**
 * Quotes statements of a turn and of later ones, each with the user's next words. Drops an agent's words if the next turn must
 * not be shown, because they may not be the last word.
 */
async function quotations(
  turn: StoredTurn,
  statements: readonly (Statement & { turnId: number })[],
  { search, recall }: ToldStores,
  hidden: ReadonlySet<number>,
): Promise<Quotation[]> {
  const later = await search.turns([...new Set(statements.map(({ turnId }) => turnId))]);
  const quoted: Quotation[] = [];
  for (const each of statements) {
    const said = later.find(({ turnId }) => turnId === each.turnId) ?? turn;
    const [after] = isSaid(each.kind) ? await search.turns(await recall.turnsAfter(said.turnId, 1)) : [];
    if (after === undefined || !hidden.has(after.turnId)) quoted.push(quotation(said, each, after ?? null));
  }
  return quoted;
}

/** Returns the statements of a turn and of later turns that settled its matter; empty when there are none. */
export async function readStatements(
  turn: StoredTurn,
  parts: QueryParts,
  stores: Parameters<typeof laterDecisions>[2],
): Promise<string[]> {
  const sought = soughtWords(parts);
  const own = ownStatements(turn, sought, SIZE.alone);
  return [...own, ...(await laterDecisions(turn, sought, stores))].map(({ text }) => text);
}

/** Returns the user's settling statement in a turn's prompt, if any, and the answer. The prompt alone would echo a question. */
function ownStatements(turn: StoredTurn, sought: SoughtWords, size: StatementOptions): Statement[] {
  const sentences = withoutForward(scoredSentences(turn, sought));
  if (turn.client === NOTE.client || turn.role !== "turn")
    return [joinBest(sentences, size)].filter((note) => note !== null);
  const ruled = findUserRuling(turn, sentences);
  const answered = joinBest(
    sentences.filter(({ kind }) => kind !== "prompt"),
    size,
  );
  return [ruled, answered].filter((each) => each !== null);
}

/** Returns the prompt of a turn without other statements. */
function echoOf(turn: StoredTurn, sought: SoughtWords, size: StatementOptions): Statement[] {
  return [joinBest(withoutForward(scoredSentences(turn, sought)), size)].filter((echo) => echo !== null);
}

/** Returns the question that a short prompt answered; null for a prompt that names its subject. */
async function questionBefore(
  turn: StoredTurn,
  { search, recall }: ToldStores,
  hidden: ReadonlySet<number>,
): Promise<string | null> {
  const prompt = partText(turn, "prompt");
  if (prompt === null || saysMatter(prompt)) return null;
  const [before] = await search.turns(await recall.turnsBefore(turn.turnId, 1));
  if (before === undefined || before.role !== "turn" || hidden.has(before.turnId)) return null;
  const said = splitSentences(before).filter(({ kind }) => kind === "answer" || kind === "narration");
  const question = said.findLast(({ text }) => CUES.question.test(text))?.text;
  if (question !== undefined) return question;
  const asked = ownWords(partText(before, "prompt") ?? "");
  return saysMatter(asked) ? asked : null;
}

/** Tells whether a prompt may ask for confirmation, as in "Did we decide to …?", because the same words may be the answer. */
function asksWhether(prompt: string): boolean {
  return /[?？]/.test(prompt) && countWords(prompt) <= MAX_QUESTION_WORDS;
}

/** Prepares the words of a query for searching in sentences. */
export function soughtWords({ terms }: Pick<QueryParts, "terms">): SoughtWords {
  const words = terms.map(({ term, rarity }) => ({ form: wordForm(term), weight: rarity }));
  return { words, total: words.reduce((sum, { weight }) => sum + weight, 0) };
}

/** Removes the next prompt, which its own turn contains. */
function withoutForward(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  return sentences.filter(({ kind }) => kind !== "forward");
}
