/** Returns the SHA-256 of bytes as lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Returns the SHA-256 of a file as lower-case hex, without loading the whole file into memory. */
export async function sha256OfFile(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(path).stream()) hasher.update(part);
  return hasher.digest("hex");
}
