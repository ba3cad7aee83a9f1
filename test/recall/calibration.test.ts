import { expect, test } from "bun:test";
import { BUILT_IN_MODEL, MULTILINGUAL } from "../../src/constants.ts";
import { calibrate, cohortNearness, findCalibration } from "../../src/recall/calibration.ts";
import { isSameQuestion } from "../../src/recall/hidden.ts";

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
/** The angle between vectors with this cosine distance. */
const angleOf = (distance: number) => Math.acos(1 - distance);

test("distances of the multilingual model are spread like those of the built-in one", () => {
  expect(calibrate(0.13, BUILT_IN_MODEL.id)).toBe(0.13);
  expect(calibrate(0.13, "any other")).toBe(0.13);
  expect(calibrate(0.142, MULTILINGUAL.id)).toBeCloseTo(0.31, 2);
  expect(calibrate(0.01, MULTILINGUAL.id)).toBe(0);
});

test("the cohort has the same turns for both models, and none for any other", () => {
  for (const { id, dimensions } of [BUILT_IN_MODEL, MULTILINGUAL]) {
    expect(Uint8Array.fromBase64(findCalibration(id)?.cohort.trim() ?? "").length).toBe(12 * dimensions);
    expect(cohortNearness(new Float32Array(dimensions), id)).not.toBeNull();
  }
  expect(cohortNearness(new Float32Array(384), "any other")).toBeNull();
});

test("what asks the same is measured on that scale", () => {
  const [a, b] = [unit(0), unit(angleOf(0.1))];
  const ask = (model: string) =>
    isSameQuestion({ text: "one", vector: a, model }, { text: "other", vector: b, model });
  expect([BUILT_IN_MODEL.id, MULTILINGUAL.id].map(ask)).toEqual([true, false]);
});
