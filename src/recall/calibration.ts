import { BUILT_IN_MODEL, MULTILINGUAL } from "../constants.ts";
import multilingualTurns from "./turns.multilingual.txt" with { type: "text" };
import turns from "./turns.vectors.txt" with { type: "text" };

/** Data that makes a model's distances comparable with those that the ranking and the gate were fitted to. */
export interface Calibration {
  dimensions: number;
  /** Vectors of general turns in base64, written by `make:cohort`. */
  cohort: string;
  /** Linear map of its cosine distances to the spread of the built-in model's: times `factor` plus `shift`. */
  scale: { factor: number; shift: number };
  /** True if texts with the same meaning in two languages are near each other. */
  acrossLanguages: boolean;
}

/**
 * The models with known distances. The linear scale gives the distances of the best results for labelled prompts
 * (`fixtures/worth`, the half to fit on) the same mean and spread as those of the built-in model.
 */
const CALIBRATIONS: Readonly<Record<string, Calibration>> = {
  [BUILT_IN_MODEL.id]: {
    dimensions: BUILT_IN_MODEL.dimensions,
    cohort: turns,
    scale: { factor: 1, shift: 0 },
    acrossLanguages: false,
  },
  [MULTILINGUAL.id]: {
    dimensions: MULTILINGUAL.dimensions,
    cohort: multilingualTurns,
    scale: { factor: 2.6, shift: -0.06 },
    acrossLanguages: true,
  },
};

/** Returns the calibration of a model; null for an unknown one. */
export function findCalibration(modelId: string | null | undefined): Calibration | null {
  return CALIBRATIONS[modelId ?? ""] ?? null;
}

/** Converts a cosine distance of a model to the scale of the built-in one; unchanged for an uncalibrated model. */
export function calibrate(distance: number, modelId: string | null | undefined): number {
  const { factor, shift } = findCalibration(modelId)?.scale ?? { factor: 1, shift: 0 };
  return Math.max(0, factor * distance + shift);
}

/** Number of nearest general turns to average: those most like the prompt. */
const NEAREST = 4;

/**
 * Returns the nearness of a prompt to turns of unrelated projects: the mean cosine to the nearest of a set of general turns. The
 * gate compares it with the nearness to stored turns, as speaker verification normalises scores with a cohort. It is on the scale
 * of the built-in model. Null for a model without vectors of these turns.
 */
export function cohortNearness(prompt: Float32Array, modelId: string | null): number | null {
  const calibration = findCalibration(modelId);
  if (calibration === null || prompt.length !== calibration.dimensions) return null;
  const turns = cohort(calibration.cohort);
  const cosines = new Float32Array(turns.length / prompt.length);
  for (let i = 0; i < cosines.length; i++) cosines[i] = cosine(prompt, turns, i * prompt.length);
  const near = cosines
    .sort()
    .subarray(-NEAREST)
    .reduce((sum, value) => sum + value / NEAREST, 0);
  return 1 - calibrate(1 - near, modelId);
}

/** Factor by which the components of a unit vector are stored in signed bytes. */
export const COHORT_SCALE = 256;

/** Decodes the components of all turns, one turn after the other. */
function cohort(vectors: string): Int8Array {
  return new Int8Array(Uint8Array.fromBase64(vectors).buffer);
}

/**
 * Returns the cosine of two unit vectors of equal length. It also runs before the JIT compiler optimises it, when loop overhead
 * costs most, so it takes four components per round without checks.
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
