import { deflateRawSync } from "node:zlib";
import type { ArchivedFile } from "./files.ts";

const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
const DEFLATE = 8;

interface Packed {
  name: Buffer;
  data: Uint8Array;
  /** The fields that the local and the central header share: version to size of the name. */
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

/** Date and time as MS-DOS has them, in UTC: years from 1980, steps of two seconds. */
function dosTime(time: Date): number {
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((day << 16) | clock) >>> 0;
}
