import type { Config } from "../config/settings.ts";
import type { TellFilter } from "../store/filter.ts";
import type { BadMark, MarkStore } from "../store/marks.ts";
import { cosineDistance } from "../store/sqlite/vectors/math.ts";
import { keywordTerms } from "../text/keywords.ts";
import { calibrate } from "./calibration.ts";
import type { Strictness } from "./gate.ts";
import { wordForm } from "./word-form.ts";

/**
 * Thresholds for two prompts that ask the same. On the 120 pairs of `fixtures/marks`, the distance recognises 57 of 60 rephrased
 * questions, and wrongly 1 of 60 other questions about the same turn; the words recognise 44, and wrongly 4.
 */
const SAME_QUESTION = {
  /** Maximum cosine distance. */
  distance: 0.13,
  /** Minimum share of common words when a vector is missing. */
  words: 0.6,
  /** Share of common words from which the distance does not matter, because only the start of a long prompt is stored. */
  sameWords: 0.9,
} as const;

/** The occasion of a hook call. */
export interface HookOccasion {
  prompt?: string;
  /** Vector of the prompt from the active model; null without one. */
  vector?: Float32Array | null;
  /** The stored path of a file. */
  file?: string;
}

/**
 * Returns the turns that no hook may show: muted ones, those that the user took back in the agent, those of which only the prompt
 * is left, and those that were marked bad for a similar prompt or for this file.
 */
export async function hiddenTurns(
  marks: Pick<MarkStore, "hidden" | "bad">,
  occasion: HookOccasion = {},
): Promise<Set<number>> {
  const hidden = await marks.hidden();
  if (occasion.prompt === undefined && occasion.file === undefined) return hidden;
  for (const mark of await marks.bad()) if (fits(mark, occasion)) hidden.add(mark.turnId);
  return hidden;
}

/** Tells whether an answer to a similar prompt was marked bad. */
export async function isMarkedBad(
  marks: Pick<MarkStore, "bad">,
  occasion: Pick<HookOccasion, "prompt" | "vector">,
): Promise<boolean> {
  return (await marks.bad()).some((mark) => mark.prompt !== null && fits(mark, occasion));
}

/**
 * Returns the strictness after a bad answer to a similar prompt, because the turns next to the bad one are probably no better.
 * `off` stays, since it shows everything.
 */
export function strictnessAfter(given: Strictness): Strictness {
  return given === "off" ? "off" : "strict";
}

function fits({ prompt, subject, vector, model }: BadMark, occasion: HookOccasion): boolean {
  if (prompt === null || occasion.prompt === undefined) return subject !== null && subject === occasion.file;
  return isSameQuestion(
    { text: prompt, vector, model },
    // Only the start of a marked prompt is stored.
    { text: occasion.prompt.slice(0, prompt.length), vector: occasion.vector ?? null },
  );
}

interface Question {
  text: string;
  vector: Float32Array | null;
  /** Model of both vectors; the built-in one when absent. */
  model?: string | null | undefined;
}

/** Tells whether two prompts ask the same: by their vectors, or by their words when a vector is missing. */
export function isSameQuestion(a: Question, b: Question): boolean {
  const words = commonWords(a.text, b.text);
  if (words >= SAME_QUESTION.sameWords) return true;
  return a.vector !== null && b.vector !== null
    ? calibrate(cosineDistance(a.vector, b.vector), a.model) <= SAME_QUESTION.distance
    : words >= SAME_QUESTION.words;
}

/** Returns the share of words that two texts have in common, 0 to 1 (Dice coefficient). */
function commonWords(a: string, b: string): number {
  const [left, right] = [formsOf(a), formsOf(b)];
  if (left.size + right.size === 0) return a.trim() === b.trim() ? 1 : 0;
  return (2 * left.intersection(right).size) / (left.size + right.size);
}

function formsOf(text: string): Set<string> {
  return new Set(keywordTerms(text).map(wordForm));
}

/**
 * Narrows the turns that hooks show to the user's own and those of trusted team members: all current members, or the named ones.
 * Leaves out agents' notes if configured.
 */
export async function trustedFilter(
  { recall, team }: { recall: Pick<Config["recall"], "agentNotes">; team: Config["team"] },
  store: { formerMembers(): Promise<readonly string[]> },
): Promise<TellFilter> {
  const notes = recall.agentNotes ? {} : { withoutAgentNotes: true };
  if (!team.recall) return { ...notes, others: [] };
  if (team.trust !== "all") return { ...notes, others: team.trust };
  const former = await store.formerMembers();
  return former.length === 0 ? notes : { ...notes, withoutAuthors: former };
}
