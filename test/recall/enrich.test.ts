import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { enrichVector } from "../../src/recall/ranking.ts";

const DIMENSIONS = 4;

describe("enrichVector", () => {
  test("moves the prompt a little towards what the session touched, however long that vector is", () => {
    const prompt = Float32Array.of(1, 0, 0, 0);
    const moved = Float32Array.of(4 / Math.sqrt(17), 1 / Math.sqrt(17), 0, 0);
    expect(rounded(enrichVector(prompt, Float32Array.of(0, 1, 0, 0)))).toEqual(rounded(moved));
    expect(rounded(enrichVector(prompt, Float32Array.of(0, 0.2, 0, 0)))).toEqual(rounded(moved));
  });

  test("leaves the prompt as it is when the session touched nothing", () => {
    const prompt = Float32Array.of(0.6, 0.8, 0, 0);
    expect(enrichVector(prompt, null)).toBe(prompt);
    expect(enrichVector(prompt, new Float32Array(DIMENSIONS))).toBe(prompt);
  });

  test("gives a unit vector that is nearer to the prompt than to anything else", () => {
    const component = fc.float({ min: -1, max: 1, noNaN: true });
    const vector = fc
      .tuple(component, component, component, component)
      .map((values) => Float32Array.from(values))
      .filter((values) => lengthOf(values) > 0.01);
    fc.assert(
      fc.property(vector, vector, (one, pattern) => {
        const prompt = one.map((value) => value / lengthOf(one));
        const enriched = enrichVector(prompt, pattern);
        expect(lengthOf(enriched)).toBeCloseTo(1, 5);
        const cosine = enriched.reduce((sum, value, i) => sum + value * (prompt[i] ?? 0), 0);
        expect(cosine).toBeGreaterThan(0.96);
      }),
    );
  });
});

function lengthOf(vector: Float32Array): number {
  return Math.hypot(...vector);
}

function rounded(vector: Float32Array): number[] {
  return [...vector].map((value) => Number(value.toFixed(5)));
}
