/** Reads a vector as PostgreSQL prints it: `[0.5,-1]`. */
export function parseVector(text: string): Float32Array {
  return Float32Array.from(JSON.parse(text));
}

/** Returns a vector as PostgreSQL reads it, with all its digits. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}
