import { open } from "node:fs/promises";

/** How much of either end of what was read is hashed: enough to hold several uuids and timestamps. */
const WINDOW_BYTES = 4096;

/**
 * Hashes the first and the last 4 KB of the first `byteOffset` bytes of a file, so that an append can be told
 * from a rewrite without reading the whole file again; null when the file is shorter than that.
 */
export async function fingerprint(path: string, byteOffset: number): Promise<string | null> {
  const file = await open(path, "r");
  try {
    if ((await file.stat()).size < byteOffset) return null;
    const hasher = new Bun.CryptoHasher("sha256");
    const window = Math.min(WINDOW_BYTES, byteOffset);
    for (const position of [0, byteOffset - window]) {
      const buffer = Buffer.alloc(window);
      const { bytesRead } = await file.read(buffer, 0, window, position);
      hasher.update(buffer.subarray(0, bytesRead));
    }
    return hasher.digest("hex").slice(0, 32);
  } finally {
    await file.close();
  }
}
