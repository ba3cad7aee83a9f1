export interface LogisticModel {
  bias: number;
  weights: number[];
}

export interface LogisticExample {
  x: readonly number[];
  right: boolean;
  weight: number;
}

export type Sign = "for" | "against" | "either";

const ROUNDS = 600;
const RATE = 0.1;
const SHRINK = 2e-3;

export function logit({ bias, weights }: LogisticModel, x: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), bias);
}

/** Fits a logistic regression (Adam, L2) on standardised features; no weight may have the wrong sign. */
export function fitLogistic(examples: readonly LogisticExample[], signs: readonly Sign[]): LogisticModel {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const { means, deviations } = spreadOf(
    examples.map(({ x }) => x),
    signs.length,
  );
  const standard = examples.map((one) => ({
    ...one,
    x: one.x.map((value, i) => (value - (means[i] ?? 0)) / (deviations[i] ?? 1)),
  }));
  const model: LogisticModel = { bias: 0, weights: signs.map(() => 0) };
  const step = adam(signs.length + 1);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = [0, ...model.weights.map((weight) => SHRINK * weight)];
    for (const { x, right, weight } of standard) {
      const error = (1 / (1 + Math.exp(-logit(model, x))) - (right ? 1 : 0)) * (weight / total);
      for (const [i, value] of [1, ...x].entries()) slope[i] = (slope[i] ?? 0) + error * value;
    }
    const [bias = 0, ...moves] = step(slope, round);
    model.bias -= bias;
    model.weights = model.weights.map((weight, i) => bounded(signs[i], weight - (moves[i] ?? 0)));
  }
  const weights = model.weights.map((weight, i) => weight / (deviations[i] ?? 1));
  return {
    bias: model.bias - weights.reduce((sum, weight, i) => sum + weight * (means[i] ?? 0), 0),
    weights,
  };
}

function spreadOf(
  rows: readonly (readonly number[])[],
  width: number,
): { means: number[]; deviations: number[] } {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const columns = Array.from({ length: width }, (_, i) => rows.map((row) => row[i] ?? 0));
  const means = columns.map(meanOf);
  const deviations = columns.map(
    (column, i) => Math.sqrt(meanOf(column.map((value) => (value - (means[i] ?? 0)) ** 2))) || 1,
  );
  return { means, deviations };
}

function adam(size: number): (slope: readonly number[], round: number) => number[] {
  const first = Array.from({ length: size }, () => 0);
  const second = Array.from({ length: size }, () => 0);
  return (slope, round) =>
    slope.map((change, i) => {
      first[i] = 0.9 * (first[i] ?? 0) + 0.1 * change;
      second[i] = 0.999 * (second[i] ?? 0) + 0.001 * change ** 2;
      const size = Math.sqrt(second[i] / (1 - 0.999 ** round)) + 1e-9;
      return (RATE * (first[i] / (1 - 0.9 ** round))) / size;
    });
}

function bounded(sign: Sign | undefined, weight: number): number {
  if (sign === "either") return weight;
  return sign === "against" ? Math.min(0, weight) : Math.max(0, weight);
}

/** Steps of a search that keeps two thirds of the range each time. */
const SEARCH_STEPS = 60;
const MAX_SLOPE = 3;

/** Returns the value that this share of the points lies above. */
export function quantileOf(points: readonly { y: number }[], above: number): number {
  const values = points.map(({ y }) => y).sort((a, b) => b - a);
  return values[Math.floor(above * values.length)] ?? 0;
}

/** Returns the line that this share of the points lies above, at every x: linear quantile regression with one input. */
export function quantileLine(
  points: readonly { x: number; y: number }[],
  above: number,
): { base: number; slope: number } {
  const baseFor = (slope: number) =>
    quantileOf(
      points.map(({ x, y }) => ({ y: y - slope * x })),
      above,
    );
  const lossFor = (slope: number) => {
    const base = baseFor(slope);
    return points.reduce((sum, { x, y }) => {
      const off = y - slope * x - base;
      return sum + (off > 0 ? (1 - above) * off : -above * off);
    }, 0);
  };
  let [low, high] = [-MAX_SLOPE, MAX_SLOPE];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const third = (high - low) / 3;
    if (lossFor(low + third) <= lossFor(high - third)) high -= third;
    else low += third;
  }
  const slope = (low + high) / 2;
  return { base: baseFor(slope), slope };
}
