import { gzipSync } from "node:zlib";
import type { ArchivedFile } from "./files.ts";

/** The time of what has no other; zip knows no earlier one. */
export const EARLIEST = new Date("1980-01-01T00:00:00Z");

const BLOCK = 512;
const MAX_PATH = 100;
/** Position of the byte in a gzip header that names the system. */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/**
 * Returns a gzipped tar archive (ustar). Equal files and an equal time give equal bytes on every machine. Throws for a
 * path that is too long.
 */
export function tarGz(files: readonly ArchivedFile[], time: Date): Uint8Array {
  const parts = files.flatMap((file) => [header(file, time), file.bytes, padding(file.bytes.byteLength)]);
  const packed = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  packed[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
  return packed;
}

function header({ path, bytes, isExecutable }: ArchivedFile, time: Date): Buffer {
  if (Buffer.byteLength(path) > MAX_PATH) throw new Error(`${path} is too long for a tar archive`);
  const block = Buffer.alloc(BLOCK);
  const write = (text: string, at: number) => block.write(text, at, "latin1");
  const octal = (value: number, at: number, length: number) =>
    write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  block.write(path, 0);
  octal(isExecutable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.byteLength, 124, 12);
  octal(Math.trunc(time.getTime() / 1000), 136, 12);
  write(" ".repeat(8), 148);
  write("0", 156);
  write("ustar\x0000", 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}
