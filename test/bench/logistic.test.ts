import { describe, expect, test } from "bun:test";
import { fitLogistic, quantileLine, quantileOf } from "./logistic.ts";

describe("quantileLine", () => {
  test("has the same share of points above it at every x", () => {
    const points = Array.from({ length: 10 }, (_, x) =>
      Array.from({ length: 101 }, (_, i) => ({ x, y: 2 * x + i })),
    ).flat();
    const { base, slope } = quantileLine(points, 0.1);
    expect(slope).toBeCloseTo(2, 1);
    for (let x = 0; x < 10; x++) {
      const above = points.filter((point) => point.x === x && point.y > base + slope * x);
      expect(Math.abs(above.length - 10)).toBeLessThanOrEqual(1);
    }
  });
});

test("quantileOf is the value that a share of the points lies above", () => {
  expect(
    quantileOf(
      [4, 1, 3, 2, 5].map((y) => ({ y })),
      0.4,
    ),
  ).toBe(3);
});

test("fitLogistic gives no weight of the wrong sign", () => {
  const examples = Array.from({ length: 40 }, (_, i) => ({ x: [i, -i], right: i >= 20, weight: 1 }));
  const { weights } = fitLogistic(examples, ["for", "for"]);
  expect(weights[0]).toBeGreaterThan(0);
  expect(weights[1]).toBe(0);
});
