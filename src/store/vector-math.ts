/** Returns the vector's bytes as they are stored: float32, little-endian. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Reads a stored vector, without copying where its bytes are aligned. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  return new Float32Array(bytes.slice().buffer);
}

/** Returns one bit per component, 1 where it is positive, lowest bit first; padded to whole 32-bit words. */
export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 32) * 4);
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > 0) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return bits;
}

/** Returns the cosine distance, 0 to 2; 1 where a vector has no direction. */
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

/** Returns in how many bits `query` differs from each of the equally long codes in `codes`. */
export function hammingDistances(codes: Uint8Array, query: Uint8Array): Uint16Array {
  const wanted = words(query);
  const all = words(codes);
  const width = wanted.length;
  const distances = new Uint16Array(all.length / width);
  for (let row = 0, at = 0; row < distances.length; row++) {
    let distance = 0;
    for (let i = 0; i < width; i++) distance += popcount((all[at++] ?? 0) ^ (wanted[i] ?? 0));
    distances[row] = distance;
  }
  return distances;
}

/** Returns the positions of the `limit` smallest values, smallest first, earlier before later among equals. */
export function smallest(values: Uint16Array, limit: number): number[] {
  const buckets: number[][] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const bucket = buckets[value];
    if (bucket === undefined) buckets[value] = [i];
    else bucket.push(i);
  }
  const positions: number[] = [];
  for (const bucket of buckets) {
    if (bucket === undefined) continue;
    positions.push(...bucket.slice(0, limit - positions.length));
    if (positions.length >= limit) break;
  }
  return positions;
}

function words(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

function popcount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
