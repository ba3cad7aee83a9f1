import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { COHORT_SCALE, cohortNearness } from "../../src/recall/calibration.ts";

const FOLDER = join(import.meta.dir, "../../src/recall");
const turns = readFileSync(join(FOLDER, "turns.txt"), "utf8").trim().split("\n");
const stored = Buffer.from(readFileSync(join(FOLDER, "turns.vectors.txt"), "utf8").trim(), "base64");
const { id, dimensions } = BUILT_IN_MODEL;

/** The vector of one of the general turns. */
function turnVector(i: number): Float32Array {
  return Float32Array.from(
    { length: dimensions },
    (_, k) => stored.readInt8(i * dimensions + k) / COHORT_SCALE,
  );
}

describe("cohortNearness", () => {
  test("has a unit vector for each general turn", () => {
    expect(stored.length).toBe(turns.length * dimensions);
    for (let i = 0; i < turns.length; i++) expect(Math.hypot(...turnVector(i))).toBeCloseTo(1, 1);
  });

  test("is higher for texts that are like the turns", () => {
    const like = turnVector(0);
    const unlike = like.map((value) => -value);
    expect(cohortNearness(like, id)).toBeGreaterThan(0.5);
    expect(cohortNearness(unlike, id)).toBeLessThan(0);
  });

  test("is the mean of the four nearest", () => {
    const prompt = turnVector(3);
    const cosines = turns.map((_, i) =>
      turnVector(i).reduce((sum, value, k) => sum + value * (prompt[k] ?? 0), 0),
    );
    const nearest = cosines.toSorted((a, b) => b - a).slice(0, 4);
    expect(cohortNearness(prompt, id)).toBeCloseTo(nearest.reduce((sum, value) => sum + value, 0) / 4, 4);
  });

  test("is not known for a model without vectors of the turns", () => {
    expect(cohortNearness(turnVector(0), "another-model")).toBeNull();
    expect(cohortNearness(turnVector(0), null)).toBeNull();
    expect(cohortNearness(new Float32Array(3), id)).toBeNull();
  });
});
