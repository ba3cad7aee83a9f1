/** The bytes of a `halfvec` as the server sends it: its length and a reserved number, 16 bits each, before the values. */
const HEADER_BYTES = 4;

/** Decodes a vector that `halfvec_send` wrote. */
export function fromHalf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(Math.max(0, (bytes.byteLength - HEADER_BYTES) >> 1));
  for (let i = 0; i < vector.length; i++) vector[i] = halfAt(view.getUint16(HEADER_BYTES + 2 * i));
  return vector;
}

/** The value of a half-precision number: sign, 5 bits of exponent, 10 of fraction. */
function halfAt(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
