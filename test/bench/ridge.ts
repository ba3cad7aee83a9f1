import type { LogisticExample, LogisticModel } from "./logistic.ts";

/** Mean and deviation of each feature, by which it is standardised. */
export interface Scale {
  means: readonly number[];
  deviations: readonly number[];
}

/** Newton's method is near enough when no weight moves more than this. */
const NEAR = 1e-9;
const MAX_STEPS = 50;
/** A feature that hardly varies is not blown up. */
const MIN_DEVIATION = 1e-3;

/** Returns the scale of rows of features. */
export function scaleOf(rows: readonly (readonly number[])[]): Scale {
  const width = rows[0]?.length ?? 0;
  const mean = (value: (row: readonly number[]) => number) =>
    rows.reduce((sum, row) => sum + value(row), 0) / rows.length;
  const means = Array.from({ length: width }, (_, i) => mean((row) => row[i] ?? 0));
  const deviations = means.map((center, i) => Math.sqrt(mean((row) => ((row[i] ?? 0) - center) ** 2)));
  return { means, deviations: deviations.map((each) => Math.max(each, MIN_DEVIATION)) };
}

/**
 * Fits a logistic regression by Newton's method: the least weighted loss, plus the weights' squares divided by
 * `2 * strength`. The model is one of standardised features; `unscaled` makes it one of the features as they are.
 */
export function fitRidge(
  examples: readonly LogisticExample[],
  strength: number,
  scale: Scale = scaleOf(examples.map(({ x }) => x)),
): LogisticModel {
  const rows = examples.map(({ x, right, weight }) => ({ x: [1, ...standard(x, scale)], right, weight }));
  const size = scale.means.length + 1;
  const beta = new Array<number>(size).fill(0);
  for (let step = 0; step < MAX_STEPS; step++) {
    const slope = beta.map((value, i) => (i === 0 ? 0 : value / strength));
    const curve = beta.map((_, i) => beta.map((_, j) => (i === j && i > 0 ? 1 / strength : 0)));
    for (const row of rows) addTo(slope, curve, row, beta);
    const moves = solve(curve, slope);
    for (const [i, move] of moves.entries()) beta[i] = (beta[i] ?? 0) - move;
    if (Math.max(...moves.map(Math.abs)) < NEAR) break;
  }
  const [bias = 0, ...weights] = beta;
  return { bias, weights };
}

/** Returns the same model for features that are not standardised. */
export function unscaled({ bias, weights }: LogisticModel, { means, deviations }: Scale): LogisticModel {
  const own = weights.map((weight, i) => weight / (deviations[i] ?? 1));
  return { bias: own.reduce((sum, weight, i) => sum - weight * (means[i] ?? 0), bias), weights: own };
}

function standard(x: readonly number[], { means, deviations }: Scale): number[] {
  return x.map((value, i) => (value - (means[i] ?? 0)) / (deviations[i] ?? 1));
}

/** Adds what a row contributes to the slope and the curvature of the loss; of the latter the lower half. */
function addTo(
  slope: number[],
  curve: number[][],
  { x, right, weight }: LogisticExample,
  beta: readonly number[],
): void {
  const chance = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (beta[i] ?? 0), 0)));
  const error = weight * (chance - (right ? 1 : 0));
  const bend = weight * chance * (1 - chance);
  for (const [i, value] of x.entries()) {
    slope[i] = (slope[i] ?? 0) + error * value;
    const row = curve[i] ?? [];
    for (let j = 0; j <= i; j++) row[j] = (row[j] ?? 0) + bend * value * (x[j] ?? 0);
  }
}

/** Solves a system of linear equations with a positive definite matrix, of which it reads the lower half (Cholesky). */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const root = rootOf(matrix);
  const at = (i: number, j: number) => root[i]?.[j] ?? 0;
  const half: number[] = [];
  for (const [i, value] of right.entries())
    half.push((value - half.reduce((sum, each, k) => sum + at(i, k) * each, 0)) / at(i, i));
  const solution = new Array<number>(right.length).fill(0);
  for (let i = right.length - 1; i >= 0; i--) {
    let rest = half[i] ?? 0;
    for (let k = i + 1; k < right.length; k++) rest -= at(k, i) * (solution[k] ?? 0);
    solution[i] = rest / at(i, i);
  }
  return solution;
}

/** The lower triangle whose product with its transpose is the matrix. */
function rootOf(matrix: readonly (readonly number[])[]): number[][] {
  const root: number[][] = [];
  const at = (i: number, j: number) => root[i]?.[j] ?? 0;
  for (const [i, row] of matrix.entries()) {
    const own: number[] = [];
    root.push(own);
    for (let j = 0; j <= i; j++) {
      let rest = row[j] ?? 0;
      for (let k = 0; k < j; k++) rest -= at(i, k) * at(j, k);
      own.push(i === j ? Math.sqrt(rest) : rest / at(j, j));
    }
  }
  return root;
}
