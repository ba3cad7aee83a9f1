import { generator } from "./random.ts";

/** Rounds of the power method. More rounds do not move any point visibly. */
const ROUNDS = 40;

/** Normalises vectors to unit length and subtracts their mean, so that their distances depend only on their angles. */
function centred(vectors: readonly Float32Array[]): Float64Array[] {
  const units = vectors.map((vector) => {
    const norm = Math.hypot(...vector) || 1;
    return Float64Array.from(vector, (value) => value / norm);
  });
  const mean = new Float64Array(units[0]?.length ?? 0);
  for (const unit of units) for (let i = 0; i < mean.length; i++) mean[i] = at(mean, i) + at(unit, i);
  return units.map((unit) => unit.map((value, i) => value - at(mean, i) / units.length));
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += at(a, i) * at(b, i);
  return sum;
}

/**
 * Projects vectors of equal length onto their first `dimensions` principal components, one row per vector. Uses the power
 * method with deflation. Deterministic. Components without variance are zero.
 */
export function project(vectors: readonly Float32Array[], dimensions: number): Float64Array[] {
  const rows = centred(vectors);
  const random = generator();
  const width = rows[0]?.length ?? 0;
  const spread = covariance(rows, width);
  const components: Float64Array[] = [];
  for (let count = 0; count < Math.min(dimensions, width); count++) {
    let axis = orthogonal(
      Float64Array.from({ length: width }, () => random() - 0.5),
      components,
    );
    for (let round = 0; round < ROUNDS && axis !== null; round++) {
      const from: Float64Array = axis;
      axis = orthogonal(
        Float64Array.from(spread, (row) => dot(row, from)),
        components,
      );
    }
    if (axis === null) break;
    components.push(axis);
  }
  return rows.map((row) =>
    Float64Array.from({ length: dimensions }, (_, i) => {
      const component = components[i];
      return component === undefined ? 0 : dot(row, component);
    }),
  );
}

/** Returns the covariance matrix of the vectors' components, unscaled. */
function covariance(rows: readonly Float64Array[], width: number): Float64Array[] {
  const matrix = Array.from({ length: width }, () => new Float64Array(width));
  for (const row of rows) {
    for (const [i, line] of matrix.entries()) {
      const value = at(row, i);
      for (let j = 0; j <= i; j++) line[j] = at(line, j) + value * at(row, j);
    }
  }
  for (const [i, line] of matrix.entries()) {
    for (let j = i + 1; j < width; j++) line[j] = matrix[j]?.[i] ?? 0;
  }
  return matrix;
}

/** Shorter vectors are rounding errors. */
const MIN_LENGTH = 1e-9;

/** Removes the components from a vector and normalises the rest; null when nothing remains. */
function orthogonal(vector: Float64Array, components: readonly Float64Array[]): Float64Array | null {
  for (const component of components) {
    const share = dot(vector, component);
    for (let i = 0; i < vector.length; i++) vector[i] = at(vector, i) - share * at(component, i);
  }
  const norm = Math.sqrt(dot(vector, vector));
  return norm < MIN_LENGTH ? null : vector.map((value) => value / norm);
}
