import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { FINGERPRINT } from "../constants.ts";

/**
 * Hashes the first `byteOffset` bytes of a file, so that an append can be told from a rewrite; null when the file is
 * shorter than that. The blocks are spread evenly from the first byte to the last: up to their sum every byte counts,
 * and of a longer file a change is noticed for sure when it is longer than the gap between two blocks, else by chance.
 */
export function fingerprint(
  path: string,
  byteOffset: number,
  { blockBytes, blocks }: { blockBytes: number; blocks: number } = FINGERPRINT,
): string | null {
  const file = openSync(path, "r");
  try {
    if (fstatSync(file).size < byteOffset) return null;
    const buffer = Buffer.allocUnsafe(Math.min(blockBytes, byteOffset));
    const count = Math.min(blocks, Math.ceil(byteOffset / blockBytes));
    const stride = count > 1 ? (byteOffset - buffer.length) / (count - 1) : 0;
    let hash = BigInt(byteOffset);
    for (let i = 0; i < count; i++) {
      const bytesRead = readSync(file, buffer, 0, buffer.length, Math.floor(i * stride));
      hash = Bun.hash.xxHash3(buffer.subarray(0, bytesRead), hash);
    }
    return hash.toString(16);
  } finally {
    closeSync(file);
  }
}
