import type { Config } from "../config/settings.ts";
import type { MayTell } from "../store/filter.ts";
import type { BadMark, MarkStore } from "../store/marks.ts";
import { cosineDistance } from "../store/sqlite/vectors/math.ts";
import { keywordTerms } from "../text/keywords.ts";
import { comparable } from "./calibration.ts";
import type { Strictness } from "./gate.ts";
import { wordForm } from "./word-form.ts";

/**
 * When two prompts ask the same. On the 120 pairs of `fixtures/marks`, the distance finds 57 of 60 rephrased questions
 * and takes 1 of 60 other questions about the same turn for the same; the words find 44 and take 4.
 */
const SAME_QUESTION = {
  /** Maximum cosine distance. */
  distance: 0.13,
  /** Minimum share of common words where a vector is missing. */
  words: 0.6,
  /** With this share of common words, the distance does not matter: a long prompt is stored in part. */
  sameWords: 0.9,
} as const;

/** What a hook was called for. */
export interface Occasion {
  prompt?: string;
  /** The prompt's vector of the active model; null when there is none. */
  vector?: Float32Array | null;
  /** The stored path of a file. */
  file?: string;
}

/**
 * Returns the turns that a hook must not tell: muted ones, those that the user took back in the agent, those of which
 * only the prompt is left, and those that were marked bad for a prompt like this one or for this file. Every hook leaves
 * out the same turns.
 */
export async function hiddenTurns(
  marks: Pick<MarkStore, "hidden" | "bad">,
  occasion: Occasion = {},
): Promise<Set<number>> {
  const hidden = await marks.hidden();
  if (occasion.prompt === undefined && occasion.file === undefined) return hidden;
  for (const mark of await marks.bad()) if (fits(mark, occasion)) hidden.add(mark.turnId);
  return hidden;
}

/** Whether something that was told for a prompt like this one was marked as bad. */
export async function isMarkedBad(
  marks: Pick<MarkStore, "bad">,
  occasion: Pick<Occasion, "prompt" | "vector">,
): Promise<boolean> {
  return (await marks.bad()).some((mark) => mark.prompt !== null && fits(mark, occasion));
}

/**
 * How sure the hook must be after a bad answer to a prompt like this one: what was only next to the bad turn is probably
 * no better. `off` stays, since that tells whatever is found.
 */
export function strictnessAfter(given: Strictness): Strictness {
  return given === "off" ? "off" : "strict";
}

function fits({ prompt, subject, vector, model }: BadMark, occasion: Occasion): boolean {
  if (prompt === null || occasion.prompt === undefined) return subject !== null && subject === occasion.file;
  return isSameQuestion(
    { text: prompt, vector, model },
    // Of a marked prompt, only the start is stored.
    { text: occasion.prompt.slice(0, prompt.length), vector: occasion.vector ?? null },
  );
}

interface Question {
  text: string;
  vector: Float32Array | null;
  /** The model of both vectors; the built-in one when absent. */
  model?: string | null | undefined;
}

/** Whether two prompts ask the same: by their vectors, or by their words where one has no vector. */
export function isSameQuestion(a: Question, b: Question): boolean {
  const words = commonWords(a.text, b.text);
  if (words >= SAME_QUESTION.sameWords) return true;
  return a.vector !== null && b.vector !== null
    ? comparable(cosineDistance(a.vector, b.vector), a.model) <= SAME_QUESTION.distance
    : words >= SAME_QUESTION.words;
}

/** Returns the share of words that two texts have in common, 0 to 1 (Dice). */
function commonWords(a: string, b: string): number {
  const [left, right] = [formsOf(a), formsOf(b)];
  if (left.size + right.size === 0) return a.trim() === b.trim() ? 1 : 0;
  return (2 * left.intersection(right).size) / (left.size + right.size);
}

function formsOf(text: string): Set<string> {
  return new Set(keywordTerms(text).map(wordForm));
}

/**
 * Narrows what hooks tell to one's own turns and those of the members of the team whom the user trusts: all members of
 * today, or the named ones. Leaves out the notes of agents where the configuration says so.
 */
export async function trustedFilter(
  { recall, team }: { recall: Pick<Config["recall"], "agentNotes">; team: Config["team"] },
  store: { formerMembers(): Promise<readonly string[]> },
): Promise<MayTell> {
  const notes = recall.agentNotes ? {} : { withoutAgentNotes: true };
  if (!team.recall) return { ...notes, others: [] };
  if (team.trust !== "all") return { ...notes, others: team.trust };
  const former = await store.formerMembers();
  return former.length === 0 ? notes : { ...notes, withoutAuthors: former };
}
