/** Returns the SHA-256 of some bytes, lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
