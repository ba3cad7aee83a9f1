import { NOTE } from "../../constants.ts";
import type { RecallStore } from "../../store/marks.ts";
import { isOtherThanEnglish } from "../../text/languages.ts";
import { partText } from "../../turn/parts.ts";
import { findCalibration } from "../calibration.ts";
import { countWords } from "../classify.ts";
import { isFoundByAccessAlone } from "../distinct.ts";
import type { Scored } from "../fusion.ts";
import type { GateKind, GateMemory, Strictness } from "../gate.ts";
import { strictnessAfter } from "../hidden.ts";
import { withAgentNotesLast } from "../matter/talk.ts";
import type { QueryParts } from "../query.ts";
import { GATE_MODELS } from "../weights.ts";
import { type MeasuredTurn, measureTurns, type WorthFeatures } from "./features.ts";
import { estimateWorth, worthLimit } from "./model.ts";

/** The certainty that a turn is worth showing. */
export interface Worth {
  probability: number;
  /** Probability from which a turn is shown. */
  limit: number;
  /** Basis of the judgement: vectors and words, or words alone. */
  kind: GateKind;
  /** Reason for a higher limit; null for the usual one. */
  stricterFor: StricterReason | null;
  features: WorthFeatures;
}

/**
 * Reason for a higher limit: the turn is in the running session, the prompt asks for a chore, or it names another task or pull
 * request.
 */
export type StricterReason = "session" | "task" | "chore" | "pull request";

/** A result with its worth. */
export interface JudgedResult {
  scored: Scored;
  worth: Worth;
}

/** Number of best results to judge. */
const JUDGED = 12;
/** Share of chore words from which a prompt asks for a chore. */
const CHORE = 0.15;
/** Identifier of a task in a tracker, as in "bead cli-4te", "ticket 12" and "SHOP-12". */
const TASK =
  /\b(?:bead|issue|ticket|task|story|epic)s?\s+#?((?:[a-z]\w*-)?\w*\d\w*|[a-z]\w*-\w{2,5})\b|\b([A-Z]{2,}-\d+)\b/gi;
/** Maximum words of a prompt that says little besides a number. */
const FEW_WORDS = 30;
/** Maximum number of turns from one session. */
const PER_SESSION = 2;

interface WorthQuery {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  strictness: Strictness;
}

export interface WorthDeps {
  sessionId: string;
  recall: Pick<RecallStore, "copiedTurns">;
  /** Returns what the session said last, turn by turn. */
  said: () => Promise<readonly string[]>;
}

/** Judges the best results for a prompt, given its session's earlier words. The most certain come first. */
export async function judgeWorth(
  ranked: readonly Scored[],
  { prompt, parts, memory, strictness }: WorthQuery,
  { sessionId, recall, said }: WorthDeps,
): Promise<JudgedResult[]> {
  const own = await said();
  const best = ranked.slice(0, JUDGED);
  const isShort = countWords(prompt) <= FEW_WORDS;
  const ids = best.map(({ turn }) => turn.turnId);
  const asker = {
    sessionId,
    copied: await recall.copiedTurns(sessionId, ids),
    tasks: isShort ? tasksIn(prompt) : [],
    strictness,
    isOfNumber: isShort && parts.references.prNumbers.length > 0,
    occasion: { isOpening: own.length === 0, chunks: memory.chunks },
  };
  const isInAnother = otherLanguage(prompt, memory.model);
  const all = measureTurns(ranked, { prompt, parts, memory, ownTurns: own.length }, JUDGED);
  return best
    .flatMap((scored, at) => {
      const of = all[at];
      return of === undefined ? [] : [{ scored, worth: worthOfTurn(scored, of, asker, isInAnother(scored)) }];
    })
    .sort((a, b) => b.worth.probability - a.worth.probability);
}

/** Returns a test for whether a turn and a prompt are in different languages, if the model maps these near each other. */
function otherLanguage(prompt: string, model: string | null | undefined): (scored: Scored) => boolean {
  if (findCalibration(model)?.acrossLanguages !== true) return () => false;
  const isOther = isOtherThanEnglish(prompt);
  return ({ turn }) => isOtherThanEnglish(partText(turn, "prompt") ?? turn.text) !== isOther;
}

/**
 * Returns the reason why a turn needs more certainty: it is in the running session, or in the one that this continues, of which
 * the agent has a summary; or the prompt asks for a chore, which needs no memory, or for a pull request or a task by a number
 * that the turn does not name.
 */
function stricterFor(
  { turn, evidence }: Scored,
  { chore }: WorthFeatures,
  { sessionId, copied, tasks, strictness, isOfNumber }: AskedBy,
): StricterReason | null {
  if (strictnessAfter(strictness) === strictness) return null;
  const isOwn = turn.sessionId === sessionId || copied.has(turn.turnId);
  const isOtherTask = tasks.length > 0 && !tasks.some((task) => turn.text.toLowerCase().includes(task));
  if (isOwn) return "session";
  if (isOtherTask) return "task";
  if (chore >= CHORE) return "chore";
  return isOfNumber && evidence.reference === 0 && evidence.numbers === 0 ? "pull request" : null;
}

interface AskedBy {
  sessionId: string;
  /** Turns from the session that it was forked from. */
  copied: ReadonlySet<number>;
  /** Tasks that a short prompt names, in lower case. */
  tasks: readonly string[];
  strictness: Strictness;
  /** True when the prompt says little besides the number of a pull request. */
  isOfNumber: boolean;
  occasion: Parameters<typeof worthLimit>[2];
}

function tasksIn(prompt: string): string[] {
  return [...prompt.matchAll(TASK)].map(([, named, key]) => (named ?? key ?? "").toLowerCase());
}

/**
 * Returns the worth of a turn. For a note, the gate decides, because notes are meant to be shown and the models were fitted
 * without them.
 */
function worthOfTurn(
  scored: Scored,
  measured: MeasuredTurn,
  asker: AskedBy,
  acrossLanguages: boolean,
): Worth {
  const { features, kind, gate } = measured;
  const stricter = stricterFor(scored, features, asker);
  const strictness = stricter === null ? asker.strictness : strictnessAfter(asker.strictness);
  const isNote = scored.turn.client === NOTE.client;
  return {
    probability: isNote ? gate : estimateWorth(measured, { chunks: asker.occasion.chunks, acrossLanguages }),
    limit: isNote ? GATE_MODELS.thresholds[strictness] : worthLimit(kind, strictness, asker.occasion),
    kind,
    stricterFor: stricter,
    features,
  };
}

/**
 * Selects the turns to show, the most certain first, but a person's note before notes by agents. Leaves out turns below the limit, and those found by access pattern alone.
 */
export function chooseResults(
  judged: readonly JudgedResult[],
  { limit, strictness }: { limit: number; strictness: Strictness },
): JudgedResult[] {
  const found = judged.filter(({ scored }) => !isFoundByAccessAlone(scored));
  const isSure = ({ worth }: JudgedResult) => strictness === "off" || worth.probability >= worth.limit;
  return diverse(
    withAgentNotesLast(found.filter(isSure), ({ scored }) => scored.turn),
    limit,
  );
}

function diverse(judged: readonly JudgedResult[], limit: number): JudgedResult[] {
  const taken = new Map<string, number>();
  return judged
    .filter(({ scored: { turn } }) => {
      const count = (taken.get(turn.sessionId) ?? 0) + 1;
      taken.set(turn.sessionId, count);
      return count <= PER_SESSION;
    })
    .slice(0, limit);
}
