import { expect, test } from "bun:test";
import { logit } from "./logistic.ts";
import { fitRidge, scaleOf, unscaled } from "./ridge.ts";

const EXAMPLES = [
  { x: [0, 5], right: false, weight: 1 },
  { x: [1, 3], right: false, weight: 2 },
  { x: [2, 5], right: true, weight: 1 },
  { x: [3, 1], right: false, weight: 1 },
  { x: [4, 4], right: true, weight: 2 },
  { x: [5, 2], right: true, weight: 1 },
];

test("a feature that is centred and even gets the weight at which the slope is nothing", () => {
  const even = [-1, 1].map((x) => ({ x: [x], right: x > 0, weight: 1 }));
  const { bias, weights } = fitRidge(even, 0.5);
  const [weight = 0] = weights;
  expect(bias).toBeCloseTo(0, 9);
  // Both examples pull with what they miss, and the square holds against them.
  expect(2 / (1 + Math.exp(weight))).toBeCloseTo(2 * weight, 9);
});

test("no small move makes the loss less", () => {
  const scale = scaleOf(EXAMPLES.map(({ x }) => x));
  const strength = 0.7;
  const model = fitRidge(EXAMPLES, strength, scale);
  const lossOf = (bias: number, weights: readonly number[]) => {
    const raw = unscaled({ bias, weights: [...weights] }, scale);
    const losses = EXAMPLES.map(({ x, right, weight }) => {
      const sure = logit(raw, x);
      return weight * Math.log1p(Math.exp(right ? -sure : sure));
    });
    const squares = weights.map((weight) => weight ** 2 / (2 * strength));
    return [...losses, ...squares].reduce((sum, each) => sum + each, 0);
  };
  const least = lossOf(model.bias, model.weights);
  for (const move of [-0.01, 0.01]) {
    expect(lossOf(model.bias + move, model.weights)).toBeGreaterThan(least);
    for (const at of model.weights.keys())
      expect(
        lossOf(
          model.bias,
          model.weights.map((weight, i) => (i === at ? weight + move : weight)),
        ),
      ).toBeGreaterThan(least);
  }
});

test("a feature that never varies has no weight", () => {
  const same = EXAMPLES.map((example) => ({ ...example, x: [...example.x, 7] }));
  expect(fitRidge(same, 1).weights[2]).toBeCloseTo(0, 9);
});
