import { inflateRawSync } from "node:zlib";

const END = { signature: 0x06054b50, size: 22, entries: 10, start: 16 };
const ENTRY = { signature: 0x02014b50, size: 46, method: 10, packed: 20, size32: 24, name: 28, at: 42 };
const HEADER = { size: 30, name: 26 };
const STORED = 0;
const DEFLATED = 8;

/**
 * Returns a file of a zip archive without a comment, smaller than 4 GB.
 *
 * @throws `TypeError` when the archive is none, or has no such file.
 */
export function unzip(archive: Uint8Array, path: string): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - END.size;
  if (end < 0 || view.getUint32(end, true) !== END.signature) throw new TypeError("not a zip archive");
  let at = view.getUint32(end + END.start, true);
  for (let left = view.getUint16(end + END.entries, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY.signature) throw new TypeError("the zip archive is damaged");
    const [name = 0, extra = 0, comment = 0] = [0, 2, 4].map((by) =>
      view.getUint16(at + ENTRY.name + by, true),
    );
    const found = new TextDecoder().decode(archive.subarray(at + ENTRY.size, at + ENTRY.size + name));
    if (found === path) return contentOf(archive, view, at);
    at += ENTRY.size + name + extra + comment;
  }
  throw new TypeError(`the zip archive has no ${path}`);
}

function contentOf(archive: Uint8Array, view: DataView, entry: number): Uint8Array {
  const header = view.getUint32(entry + ENTRY.at, true);
  const named = view.getUint16(header + HEADER.name, true) + view.getUint16(header + HEADER.name + 2, true);
  const start = header + HEADER.size + named;
  const packed = archive.subarray(start, start + view.getUint32(entry + ENTRY.packed, true));
  const method = view.getUint16(entry + ENTRY.method, true);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new TypeError(`the zip archive uses method ${method}`);
  // An empty file has one byte of room: no limit may be 0.
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, view.getUint32(entry + ENTRY.size32, true)) });
}
