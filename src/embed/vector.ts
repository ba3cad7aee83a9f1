/** Returns the first row of a `[1, tokens, dimensions]` tensor (CLS pooling), scaled to length 1. */
export function poolFirstToken(hidden: Float32Array, dimensions: number): Float32Array {
  const vector = hidden.slice(0, dimensions);
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
  return vector;
}
