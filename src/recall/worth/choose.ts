import { NOTE } from "../../constants.ts";
import type { RecallStore } from "../../store/marks.ts";
import type { SearchStore } from "../../store/store.ts";
import { folded } from "../../text/fold.ts";
import { isOtherThanEnglish } from "../../text/languages.ts";
import { textOf } from "../../turn/parts.ts";
import { calibrationOf } from "../calibration.ts";
import { countWords } from "../classify.ts";
import { isFoundByAccessAlone } from "../distinct.ts";
import type { Scored } from "../fusion.ts";
import type { GateMemory, Strictness } from "../gate.ts";
import { strictnessAfter } from "../hidden.ts";
import type { QueryParts } from "../query.ts";
import { GATE } from "../weights.ts";
import { type Asked, type WorthFeatures, worthFeatures } from "./features.ts";
import { worthLimit, worthOf } from "./model.ts";
import type { ComparedVectors } from "./nearness.ts";
import { occasionOf } from "./occasion.ts";
import { ownSession } from "./own-session.ts";
import type { WorthKind } from "./weights.ts";

/** How surely a turn is worth telling. */
export interface Worth {
  probability: number;
  /** The probability from which on a turn is told. */
  limit: number;
  /** Whether vectors helped to judge it, or words alone did. */
  kind: WorthKind;
  /** Why it must be surer than usual; null where it need not be. */
  stricterFor: StricterFor | null;
  features: WorthFeatures;
}

/** The turn is of the running session, the prompt asks for a chore, or it names another task or pull request. */
export type StricterFor = "session" | "task" | "chore" | "pull request";

/** A result and how surely it is worth telling. */
export interface Judged {
  scored: Scored;
  worth: Worth;
}

/** The best results that are judged. */
const JUDGED = 12;
/** Turns of the running session whose vectors are compared with the prompt. */
const OWN_VECTORS = 4;
/** From this share on, a prompt asks for a chore. */
const CHORE = 0.15;
/** The identifier of a task in a tracker, as in "bead cli-4te", "ticket 12" and "SHOP-12". */
const TASK =
  /\b(?:bead|issue|ticket|task|story|epic)s?\s+#?((?:[a-z]\w*-)?\w*\d\w*|[a-z]\w*-\w{2,5})\b|\b([A-Z]{2,}-\d+)\b/gi;
/** A prompt with a number and no more words than this says little beside it. */
const FEW_WORDS = 30;
/** Maximum number of turns from one session. */
const PER_SESSION = 2;
interface WorthQuery {
  prompt: string;
  parts: QueryParts;
  memory: GateMemory;
  /** The prompt's vector; null where words alone are known. */
  vector: Float32Array | null;
  strictness: Strictness;
}

interface WorthDeps {
  sessionId: string;
  store: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "latestTurns" | "copiedTurns" | "turnVectors">;
  saidNow?: (() => Promise<string>) | undefined;
}

/** Judges the best results for a prompt, given what its session said before. The surest come first. */
export async function judgeWorth(
  ranked: readonly Scored[],
  { prompt, parts, memory, vector, strictness }: WorthQuery,
  { sessionId, store, recall, saidNow }: WorthDeps,
): Promise<Judged[]> {
  const { turnIds: latest, texts: own } = await ownSession(sessionId, { store, recall, saidNow });
  const best = ranked.slice(0, JUDGED);
  const vectors =
    vector === null || memory.cohort === null
      ? null
      : { ...(await vectorsOf(best, vector, latest, recall)), model: memory.model };
  const asked: Asked = {
    parts,
    memory,
    occasion: occasionOf(prompt, parts, own),
    said: folded(own.join("\n")),
    vectors,
  };
  const isOfNumber = parts.references.prNumbers.length > 0 && countWords(prompt) <= FEW_WORDS;
  const copied = await recall.copiedTurns(
    sessionId,
    best.map(({ turn }) => turn.turnId),
  );
  const tasks = countWords(prompt) <= FEW_WORDS ? tasksIn(prompt) : [];
  const asker = { sessionId, copied, tasks, strictness, isOfNumber };
  const features = worthFeatures(ranked, asked, JUDGED);
  const isInAnother = otherLanguage(prompt, memory.model);
  return features
    .flatMap((features, at) => {
      const scored = best[at];
      return scored === undefined
        ? []
        : [
            {
              scored,
              worth: worthOfTurn(scored, features, vectors, {
                strictness,
                stricterFor: stricterFor(scored, features, asker),
                acrossLanguages: isInAnother(scored),
              }),
            },
          ];
    })
    .sort((a, b) => b.worth.probability - a.worth.probability);
}

/** Returns whether a turn and a prompt are in two languages, as far as the model knows the same in both as near. */
function otherLanguage(prompt: string, model: string | null | undefined): (scored: Scored) => boolean {
  if (calibrationOf(model)?.acrossLanguages !== true) return () => false;
  const isOther = isOtherThanEnglish(prompt);
  return ({ turn }) => isOtherThanEnglish(textOf(turn, "prompt") ?? turn.text) !== isOther;
}

/**
 * A turn must be surely worth telling where it is of the running session, or of the one that this goes on with, of which
 * the agent has a summary. So it must where the prompt asks for a chore, which needs no memory, or for a pull request or a
 * task by a number that the turn does not name.
 */
function stricterFor(
  { turn }: Scored,
  features: WorthFeatures,
  { sessionId, copied, tasks, strictness, isOfNumber }: AskedBy,
): StricterFor | null {
  if (strictnessAfter(strictness) === strictness) return null;
  const isOther = isOfNumber && features.e_reference === 0 && features.e_numbers === 0;
  const isOwn = turn.sessionId === sessionId || copied.has(turn.turnId);
  const isOtherTask = tasks.length > 0 && !tasks.some((task) => turn.text.toLowerCase().includes(task));
  if (isOwn) return "session";
  if (isOtherTask) return "task";
  if (features.o_chore >= CHORE) return "chore";
  return isOther ? "pull request" : null;
}

interface AskedBy {
  sessionId: string;
  /** Turns of the session that it was forked from. */
  copied: ReadonlySet<number>;
  /** The tasks that a prompt of few words names, in lower case. */
  tasks: readonly string[];
  strictness: Strictness;
  /** Whether the prompt says little beside the number of a pull request. */
  isOfNumber: boolean;
}

function tasksIn(prompt: string): string[] {
  return [...prompt.matchAll(TASK)].map(([, named, key]) => (named ?? key ?? "").toLowerCase());
}

/**
 * A turn without vectors is judged by words, also beside turns that have them. A note was written to be told, and the
 * models were fitted without notes: the gate decides on it.
 */
function worthOfTurn(
  { turn }: Scored,
  features: WorthFeatures,
  vectors: Asked["vectors"],
  {
    strictness: given,
    stricterFor,
    acrossLanguages,
  }: { strictness: Strictness; stricterFor: StricterFor | null; acrossLanguages: boolean },
): Worth {
  const strictness = stricterFor === null ? given : strictnessAfter(given);
  const kind: WorthKind = vectors?.of.has(turn.turnId) ? "vectors" : "words";
  return turn.client === NOTE.client
    ? { probability: features.gate1P, limit: GATE.thresholds[strictness], kind, stricterFor, features }
    : {
        probability: worthOf(features, kind, { acrossLanguages }),
        limit: worthLimit(kind, strictness, features),
        kind,
        stricterFor,
        features,
      };
}

async function vectorsOf(
  best: readonly Scored[],
  prompt: Float32Array,
  latest: readonly number[],
  recall: Pick<RecallStore, "turnVectors">,
): Promise<ComparedVectors> {
  const ids = best.map(({ turn }) => turn.turnId);
  const last = latest.slice(0, OWN_VECTORS);
  const all = Map.groupBy(await recall.turnVectors([...new Set([...ids, ...last])]), ({ turnId }) => turnId);
  return { prompt, own: last.flatMap((id) => all.get(id) ?? []), of: all };
}

/** Chooses the turns to tell, the surest first: those that are probably worth it, but none that was found by the files of its session alone. */
export function choose(
  judged: readonly Judged[],
  { limit, strictness }: { limit: number; strictness: Strictness },
): Judged[] {
  const found = judged.filter(({ scored }) => !isFoundByAccessAlone(scored));
  const isSure = ({ worth }: Judged) => strictness === "off" || worth.probability >= worth.limit;
  return diverse(found.filter(isSure), limit);
}

function diverse(judged: readonly Judged[], limit: number): Judged[] {
  const taken = new Map<string, number>();
  return judged
    .filter(({ scored: { turn } }) => {
      const count = (taken.get(turn.sessionId) ?? 0) + 1;
      taken.set(turn.sessionId, count);
      return count <= PER_SESSION;
    })
    .slice(0, limit);
}
