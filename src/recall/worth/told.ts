import { NOTE } from "../../constants.ts";
import type { RecallStore } from "../../store/marks.ts";
import type { SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { CUES } from "../../turn/cues.ts";
import { textOf } from "../../turn/parts.ts";
import { ownWords } from "../../turn/pasted.ts";
import { sentencesOf } from "../../turn/sentences.ts";
import { isSaid } from "../../turn/text.ts";
import { countWords, saysMatter } from "../classify.ts";
import type { Scored } from "../fusion.ts";
import { type Quotation, quotation } from "../matter/quotation.ts";
import { ruledIn, settledLater } from "../matter/settled.ts";
import type { QueryParts } from "../query.ts";
import { withWholeTexts } from "../read-to-rank.ts";
import {
  joined,
  type ScoredSentence,
  type Statement,
  type StatementOptions,
  scoredSentences,
} from "../statement/choose.ts";
import type { SoughtWords } from "../statement/features.ts";
import { wordForm } from "../word-form.ts";
import { heardIn } from "./heard.ts";
import { ownSession } from "./own-session.ts";

/** A turn that is worth telling, and what to say of it. */
export interface ToldTurn {
  turn: StoredTurn;
  /** Probability that it is worth telling. */
  probability: number;
  /** What it says on the matter, best first; the second is from a later turn, where the matter was settled. */
  statements: Quotation[];
  /** The question that the turn's prompt answered, where the prompt alone says nothing; null for most. */
  before: string | null;
}

/** What a statement may hold, and statements of later turns, where a turn is told alone and beside others. */
const SIZE = {
  alone: { chars: 580, sentences: 5, within: 2.5 },
  beside: { chars: 280, sentences: 3, within: 1.5 },
} as const satisfies Record<string, StatementOptions>;
const LATER = { alone: 2, beside: 1 } as const;
/** An answer whose best sentence is less sure than this, in logits, says nothing on the matter: "Analysis phase, no code yet." */
const LEAST_SAID = 0.9;
/** A question has no more words; what is longer is pasted, or a plan. */
const MAX_QUESTION_WORDS = 40;
type ToldStores = {
  search: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "turnsAfter" | "turnsBefore" | "latestTurns">;
  saidNow?: (() => Promise<string>) | undefined;
};

/** Turns that must not be quoted, and turns that need not be, as they are told by themselves. */
interface Unquoted {
  hidden: ReadonlySet<number>;
  told: ReadonlySet<number>;
  /** The running session: the agent may still see what followed there. */
  sessionId: string;
  prompt: string;
}

/** Says what to tell of each turn; leaves out turns that say nothing in words, or nothing that the agent has not before it. */
export async function toldTurns(
  chosen: readonly { scored: Scored; probability: number }[],
  parts: QueryParts,
  stores: ToldStores,
  { hidden, told: others, sessionId, prompt }: Unquoted,
): Promise<ToldTurn[]> {
  if (chosen.length === 0) return [];
  const said = await ownSession(sessionId, { ...stores, store: stores.search });
  const [inPrompt, inSession] = [heardIn(asksWhether(prompt) ? [] : [prompt]), heardIn(said)];
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
    const settled = isOwn ? [] : await settledLater(turn, sought, stores);
    const isTold = ({ text }: Statement) =>
      told.some(({ statements }) => statements.some((each) => each.text === text));
    const later = settled.filter(
      (each) => !hidden.has(each.turnId) && !others.has(each.turnId) && !isTold(each) && !isHeard(each),
    );
    const all = ownStatements(turn, sought, SIZE[place]);
    // What was answered stands there already: the rest of the turn is of it.
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
 * Quotes statements of a turn and of later ones, each with what the user said next. An agent's words go with the next turn
 * where that must not be told: without it they may not be the last word.
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

/** Returns what would be told of a turn and of what settled its matter later; empty where that is nothing. */
export async function statementsOf(
  turn: StoredTurn,
  parts: QueryParts,
  stores: Parameters<typeof settledLater>[2],
): Promise<string[]> {
  const sought = soughtWords(parts);
  const own = ownStatements(turn, sought, SIZE.alone);
  return [...own, ...(await settledLater(turn, sought, stores))].map(({ text }) => text);
}

/** What the user settled in a turn's prompt, if anything, and what was answered. The prompt alone is an echo of a question. */
function ownStatements(turn: StoredTurn, sought: SoughtWords, size: StatementOptions): Statement[] {
  const sentences = withoutForward(scoredSentences(turn, sought));
  if (turn.client === NOTE.client || turn.role !== "turn")
    return [joined(sentences, size)].filter((note) => note !== null);
  const ruled = ruledIn(turn, sentences);
  const answered = joined(
    sentences.filter(({ kind }) => kind !== "prompt"),
    size,
  );
  return [ruled, answered].filter((each) => each !== null);
}

/** The prompt of a turn of which nothing else is known. */
function echoOf(turn: StoredTurn, sought: SoughtWords, size: StatementOptions): Statement[] {
  return [joined(withoutForward(scoredSentences(turn, sought)), size)].filter((echo) => echo !== null);
}

/** The question that a prompt of a few words answered; null for a prompt that says what it is about. */
async function questionBefore(
  turn: StoredTurn,
  { search, recall }: ToldStores,
  hidden: ReadonlySet<number>,
): Promise<string | null> {
  const prompt = textOf(turn, "prompt");
  if (prompt === null || saysMatter(prompt)) return null;
  const [before] = await search.turns(await recall.turnsBefore(turn.turnId, 1));
  if (before === undefined || before.role !== "turn" || hidden.has(before.turnId)) return null;
  const said = sentencesOf(before).filter(({ kind }) => kind === "answer" || kind === "narration");
  const question = said.findLast(({ text }) => CUES.question.test(text))?.text;
  if (question !== undefined) return question;
  const asked = ownWords(textOf(before, "prompt") ?? "");
  return saysMatter(asked) ? asked : null;
}

/** Whether a prompt may ask if what it says is so, as "Did we decide to …?": then the same words are the answer. */
function asksWhether(prompt: string): boolean {
  return /[?？]/.test(prompt) && countWords(prompt) <= MAX_QUESTION_WORDS;
}

/** Prepares the words of a query to be looked for in sentences. */
export function soughtWords({ terms }: Pick<QueryParts, "terms">): SoughtWords {
  const words = terms.map(({ term, rarity }) => ({ form: wordForm(term), weight: rarity }));
  return { words, total: words.reduce((sum, { weight }) => sum + weight, 0) };
}

/** The next prompt is told from its own turn. */
function withoutForward(sentences: readonly ScoredSentence[]): ScoredSentence[] {
  return sentences.filter(({ kind }) => kind !== "forward");
}
