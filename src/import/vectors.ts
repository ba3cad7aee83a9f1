/** How a chunk's text is named in an export with vectors: SHA-256 in hex digits. */
export function chunkHash(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

/** Writes a vector as base64 of its 32-bit floats, the lowest byte first. */
export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

/** Reads a vector of this length and scales it to 1; null when the text is none. */
export function decodeVector(text: string, dimensions: number): Float32Array | null {
  const bytes = Buffer.from(text, "base64");
  if (bytes.byteLength !== dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at++) vector[at] = bytes.readFloatLE(at * Float32Array.BYTES_PER_ELEMENT);
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}
