import { BUILT_IN_MODEL } from "../constants.ts";
import { MULTILINGUAL } from "../embed/models/multilingual.ts";
import multilingualTurns from "./turns.multilingual.txt" with { type: "text" };
import turns from "./turns.vectors.txt" with { type: "text" };

/** What makes the distances of a model comparable with those that the ranking and the gate were fitted to. */
export interface Calibration {
  dimensions: number;
  /** Vectors of general turns, in base64: `make:cohort` writes them. */
  cohort: string;
  /** Its cosine distances, times `factor` plus `shift`, are spread like those of the built-in model. */
  scale: { factor: number; shift: number };
  /** Whether texts that say the same in two languages are near each other. */
  acrossLanguages: boolean;
}

/**
 * The models whose distances are known. The scale is a line: it gives the distances of the best results for labelled prompts
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

/** Returns how the distances of a model compare; null for a model of which that is unknown. */
export function calibrationOf(modelId: string | null | undefined): Calibration | null {
  return CALIBRATIONS[modelId ?? ""] ?? null;
}

/** Returns a cosine distance of a model on the scale of the built-in one; as it is for a model of which none is known. */
export function comparable(distance: number, modelId: string | null | undefined): number {
  const { factor, shift } = calibrationOf(modelId)?.scale ?? { factor: 1, shift: 0 };
  return Math.max(0, factor * distance + shift);
}
