import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { ioError } from "../../io/errors.ts";
import { OPEN_UNTRUSTED } from "../../io/read.ts";

/** Limits in bytes: of a rollout without its compression, which is held in memory, and of what its first line may take. */
const MAX_BYTES = 256 << 20;
const HEAD_BYTES = [1 << 16, 1 << 20];
const MAX_HEAD_BYTES = 32 << 20;

const NEWLINE = 10;

/** True for a rollout that Codex has compressed. It replaces the rollout of the same name without `.zst`. */
export function isCompressed(path: string): boolean {
  return path.endsWith(".zst");
}

/** Reads a compressed rollout. Throws `io` when it cannot be read, is not one, or is too large to hold in memory. */
export function decompressed(path: string): Buffer {
  try {
    return zlib().zstdDecompressSync(readFileSync(path), { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

/** Returns the first line of a compressed rollout, without reading all of it; null when there is none. */
export function firstLineOf(path: string): string | null {
  for (const bytes of HEAD_BYTES) {
    const head = headOf(path, bytes);
    const newline = head.indexOf(NEWLINE);
    if (newline >= 0) return head.toString("utf8", 0, newline);
  }
  return null;
}

/** Decompresses what it can of a file's first bytes. */
function headOf(path: string, bytes: number): Buffer {
  try {
    const file = openSync(path, OPEN_UNTRUSTED.links);
    try {
      const block = Buffer.allocUnsafe(bytes);
      const head = block.subarray(0, readSync(file, block, 0, bytes, 0));
      const finishFlush = zlib().constants.ZSTD_e_flush;
      return zlib().zstdDecompressSync(head, { finishFlush, maxOutputLength: MAX_HEAD_BYTES });
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** Loads the module at its first use: most rollouts are not compressed, and hooks load this file. */
function zlib(): typeof import("node:zlib") {
  return process.getBuiltinModule("node:zlib");
}
