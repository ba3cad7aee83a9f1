/** Returns the stored bytes of a vector: float32, little-endian. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Reads a stored vector, without copying it if its bytes are aligned. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  return new Float32Array(bytes.slice().buffer);
}

/** Returns one bit per component, 1 for a positive one, lowest bit first; padded to whole 32-bit words. */
export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 32) * 4);
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return bits;
}

/** Returns the cosine distance, 0 to 2; 1 for a zero vector. */
export function cosineDistance(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 1 : 1 - dot / Math.sqrt(aa * bb);
}

/** Maximum of the integer distances by signs: precise enough to rank, and fast to add. */
const FARTHEST = 4_095;

/**
 * Returns the distance that each byte of a code adds, as 256 values per byte: the summed weights of the query's components with
 * another sign. This ranks better than counting differing bits, where a component near zero counts like any other.
 */
export function signDistanceTable(query: Float32Array): Uint16Array {
  const costs = new Uint16Array(Math.ceil(query.length / 32) * 4 * 256);
  const total = query.reduce((sum, value) => sum + Math.abs(value), 0);
  const unit = total > 0 ? (FARTHEST - query.length / 2) / total : 0;
  for (let first = 0; first < query.length; first += 8) addByte(costs, first * 32, query, first, unit);
  return costs;
}

/** Computes the 256 values of a byte, each from the value without its highest bit. */
function addByte(costs: Uint16Array, at: number, query: Float32Array, first: number, unit: number): void {
  const weights = query.subarray(first, first + 8).map((value) => Math.round(value * unit));
  costs[at] = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  for (let bit = 0; bit < weights.length; bit++) {
    const weight = weights[bit] ?? 0;
    const half = 1 << bit;
    for (let value = 0; value < half; value++) costs[at + half + value] = (costs[at + value] ?? 0) - weight;
  }
}

/** Writes the distance of each code into `distances`. The function is short because it also runs before the JIT optimises it. */
export function signDistances(codes: Uint8Array, costs: Uint16Array, distances: Uint16Array): void {
  const width = costs.length >> 8;
  for (let start = 0, row = 0; start < codes.length; start += width, row++) {
    let distance = 0;
    for (let i = 0; i < width; i++) distance += costs[(i << 8) | (codes[start + i] ?? 0)] ?? 0;
    distances[row] = distance;
  }
}

/**
 * Returns the positions of the `limit` smallest values over all parts, for each part in order of position. Of equal values,
 * earlier ones win.
 */
export function smallestPositions(parts: readonly Uint16Array[], limit: number): number[][] {
  const counts = new Uint32Array(1 << 16);
  for (const values of parts) countValues(values, counts);
  let edge = 0;
  let left = limit;
  while (edge < counts.length && left > (counts[edge] ?? 0)) left -= counts[edge++] ?? 0;
  return parts.map((values) => {
    const positions: number[] = [];
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      if (value < edge || (value === edge && left-- > 0)) positions.push(i);
    }
    return positions;
  });
}

function countValues(values: Uint16Array, counts: Uint32Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
}
