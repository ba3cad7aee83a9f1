import { BUILT_IN_MODEL } from "../../constants.ts";
import vectors from "./turns.vectors.txt" with { type: "text" };

/** So many of the nearest general turns count: those of the prompt's own kind. */
const NEAREST = 8;
/** What most prompts have; stands in for a model whose vectors of the cohort are not shipped. */
const USUAL = 0.65;

/**
 * Returns how near a prompt lies to turns that have nothing to do with it: the mean cosine to the nearest of some general
 * turns. The gate compares it with the nearness to what is stored, as speaker verification normalises scores by a cohort.
 */
export function cohortNearness(prompt: Float32Array, modelId: string | null): number {
  if (modelId !== BUILT_IN_MODEL.id || prompt.length !== BUILT_IN_MODEL.dimensions) return USUAL;
  const cosines = cohort().map((turn) => cosine(prompt, turn));
  const nearest = cosines.sort((a, b) => b - a).slice(0, NEAREST);
  return nearest.reduce((sum, value) => sum + value, 0) / nearest.length;
}

/** A component of a unit vector is stored in a signed byte as so many times itself. */
export const COHORT_SCALE = 256;

function cohort(): Int8Array[] {
  const bytes = Buffer.from(vectors.trim(), "base64");
  const { dimensions } = BUILT_IN_MODEL;
  return Array.from(
    { length: bytes.length / dimensions },
    (_, i) => new Int8Array(bytes.buffer, bytes.byteOffset + i * dimensions, dimensions),
  );
}

/** Both are unit vectors. Short, since it runs before it is optimised. */
function cosine(prompt: Float32Array, turn: Int8Array): number {
  let dot = 0;
  for (let i = 0; i < prompt.length; i++) dot += (prompt[i] ?? 0) * (turn[i] ?? 0);
  return dot / COHORT_SCALE;
}
