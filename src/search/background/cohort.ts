import { BUILT_IN_MODEL } from "../../constants.ts";
import vectors from "./turns.vectors.txt" with { type: "text" };

/** So many of the nearest general turns count: those of the prompt's own kind. */
const NEAREST = 8;

/**
 * Returns how near a prompt lies to turns that have nothing to do with it: the mean cosine to the nearest of some general
 * turns. The gate compares it with the nearness to what is stored, as speaker verification normalises scores by a cohort.
 * Returns null for a model whose vectors of these turns are not shipped: what its distances mean is not known.
 */
export function cohortNearness(prompt: Float32Array, modelId: string | null): number | null {
  if (modelId !== BUILT_IN_MODEL.id || prompt.length !== BUILT_IN_MODEL.dimensions) return null;
  const turns = cohort();
  const cosines = new Float32Array(turns.length / prompt.length);
  for (let i = 0; i < cosines.length; i++) cosines[i] = cosine(prompt, turns, i * prompt.length);
  return cosines
    .sort()
    .subarray(-NEAREST)
    .reduce((sum, value) => sum + value / NEAREST, 0);
}

/** A component of a unit vector is stored in a signed byte as so many times itself. */
export const COHORT_SCALE = 256;

/** The components of all turns, one turn behind the other. */
function cohort(): Int8Array {
  const bytes = Buffer.from(vectors, "base64");
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Returns the cosine of two unit vectors of as many components. It runs before it is optimised, when the rounds of a loop
 * cost more than what is done in them: four components a round, no checks.
 */
function cosine(prompt: Float32Array, turns: Int8Array, at: number): number {
  let dot = 0;
  const { length } = prompt;
  for (let i = 0, k = at; i < length; i += 4, k += 4)
    dot +=
      (prompt[i] as number) * (turns[k] as number) +
      (prompt[i + 1] as number) * (turns[k + 1] as number) +
      (prompt[i + 2] as number) * (turns[k + 2] as number) +
      (prompt[i + 3] as number) * (turns[k + 3] as number);
  return dot / COHORT_SCALE;
}
