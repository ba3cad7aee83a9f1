import { deflateRawSync, gzipSync } from "node:zlib";

const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
const DEFLATE = 8;

interface Packed {
  name: Buffer;
  data: Uint8Array;
  /** The header fields that the local and the central header share, from the version to the name's length. */
  shared: Buffer;
  mode: number;
}

/** Returns a zip archive. Equal files and an equal time give equal bytes on every machine. */
export function zip(files: readonly ArchivedFile[], time: Date): Uint8Array {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const packed = pack(file, time);
    const head = Buffer.concat([signature(0x04034b50), packed.shared, Buffer.alloc(2), packed.name]);
    local.push(head, packed.data);
    central.push(centralHeader(packed, offset));
    offset += head.byteLength + packed.data.byteLength;
  }
  const size = central.reduce((sum, part) => sum + part.byteLength, 0);
  return Buffer.concat([...local, ...central, end(files.length, size, offset)]);
}

function pack({ path, bytes, isExecutable }: ArchivedFile, time: Date): Packed {
  const name = Buffer.from(path);
  const data = deflateRawSync(bytes, { level: 9 });
  const shared = Buffer.alloc(24);
  shared.writeUInt16LE(VERSION, 0);
  shared.writeUInt16LE(DEFLATE, 4);
  shared.writeUInt32LE(dosTime(time), 6);
  shared.writeUInt32LE(Bun.hash.crc32(bytes), 10);
  shared.writeUInt32LE(data.byteLength, 14);
  shared.writeUInt32LE(bytes.byteLength, 18);
  shared.writeUInt16LE(name.byteLength, 22);
  return { name, data, shared, mode: isExecutable ? 0o100755 : 0o100644 };
}

function centralHeader({ name, shared, mode }: Packed, offset: number): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(MADE_ON_UNIX | VERSION);
  const rest = Buffer.alloc(16);
  rest.writeUInt32LE((mode << 16) >>> 0, 8);
  rest.writeUInt32LE(offset, 12);
  return Buffer.concat([signature(0x02014b50), madeBy, shared, rest, name]);
}

function end(count: number, size: number, offset: number): Buffer {
  const block = Buffer.alloc(22);
  block.writeUInt32LE(0x06054b50, 0);
  block.writeUInt16LE(count, 8);
  block.writeUInt16LE(count, 10);
  block.writeUInt32LE(size, 12);
  block.writeUInt32LE(offset, 16);
  return block;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Returns date and time in MS-DOS format, in UTC: years from 1980, steps of two seconds. */
function dosTime(time: Date): number {
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((day << 16) | clock) >>> 0;
}

/** The time of files that have no other; the earliest time that zip can store. */
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

/** A file of an archive. */
export interface ArchivedFile {
  /** Relative, separated by `/`; at most 100 bytes. */
  path: string;
  bytes: Uint8Array;
  isExecutable: boolean;
}

/** Makes an archived file that is not executable. */
export function document(path: string, content: string | Uint8Array): ArchivedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path, bytes, isExecutable: false };
}

/** Makes an executable archived file. */
export function program(path: string, bytes: Uint8Array): ArchivedFile {
  return { path, bytes, isExecutable: true };
}
