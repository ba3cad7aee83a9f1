import { catalog } from "../assets/catalog.ts";
import { PLATFORMS, type Target } from "../assets/target.ts";

/** The newest symbol versions that a binary may need: those of glibc 2.28 and GCC 8, as in RHEL 8 and Debian 10. */
const LIMITS: Readonly<Record<string, string>> = { GLIBC: "2.28", GLIBCXX: "3.4.25", CXXABI: "1.3.11" };

/** Throws when a native library of a glibc target, or the given binary, needs a newer system than promised. */
export async function checkSymbols(target: Target, binary?: string): Promise<void> {
  if (PLATFORMS[target].libc !== "glibc") return;
  const libraries = catalog(target).flatMap(({ executable, source }) =>
    executable && source !== null ? [source] : [],
  );
  for (const file of binary === undefined ? libraries : [binary]) {
    const tooNew = (await neededVersions(file)).filter(isTooNew);
    if (tooNew.length > 0) throw new Error(`${file} needs a newer system: ${tooNew.join(", ")}`);
  }
}

/** Tells whether a symbol version, such as `GLIBC_2.30`, is newer than the oldest promised system has. */
export function isTooNew(version: string): boolean {
  const [, library = "", number = ""] = /^([A-Z]+)_([\d.]+)$/.exec(version) ?? [];
  const limit = LIMITS[library];
  return limit !== undefined && number.localeCompare(limit, "en", { numeric: true }) > 0;
}

/** Returns the versions of glibc and GCC that a library or program names, such as `GLIBC_2.17`, sorted. It names what it needs. */
export async function neededVersions(file: string): Promise<string[]> {
  const text = Buffer.from(await Bun.file(file).bytes()).toString("latin1");
  const names = text.matchAll(/(?<=\0)(?:GLIBC|GLIBCXX|CXXABI)_[\d.]+(?=\0)/g);
  return [...new Set([...names].map(([name]) => name))].sort();
}

/**
 * Signatures of 64-bit Mach-O files in the form that macOS checks: one hash per page. Bun signs builds for Apple silicon. In
 * builds for Intel it leaves its runtime's signature, which no longer matches, so this file replaces it.
 */

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
/** Some Macs map memory in pages of 16 KB. */
const MAPPED_PAGE = 0x4000;
const HASH_BYTES = 32;
const SHA256 = 2;
const COMMAND_SEGMENT = 0x19;
const COMMAND_SIGNATURE = 0x1d;
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const VERSION = 0x20400;
const HEADER_BYTES = 88;
/** Flag of a linker's signature without an identity, which "codesign" may replace. */
const AD_HOC = 0x20002;
const MAIN_BINARY = 1n;
const SUPER_BLOB_BYTES = 20;

/** Positions of the parts of a file that a signature needs, in bytes. */
interface Layout {
  /** Load commands of the signature, of the code segment and of the signature's segment. */
  signature: number;
  text: number;
  linkEdit: number;
  /** Start of the signature, and so the end of the signed bytes. */
  limit: number;
}

/** Signs a program if its signature does not match. Throws when the new signature does not match either. */
export async function ensureSigned(file: string, identifier: string): Promise<void> {
  if (signatureProblem(await Bun.file(file).bytes()) === null) return;
  await Bun.write(file, withSignature(await Bun.file(file).bytes(), identifier));
  const problem = signatureProblem(await Bun.file(file).bytes());
  if (problem !== null) throw new Error(`${file} cannot be signed: ${problem}`);
}

/** Returns a file with a new signature without an identity. Throws for a file that has no room for one. */
export function withSignature(file: Uint8Array, identifier: string): Uint8Array {
  const layout = layoutOf(file);
  const before = Buffer.from(file.subarray(0, layout.limit));
  const pages = Math.ceil(layout.limit / PAGE);
  const directoryBytes = HEADER_BYTES + identifier.length + 1 + pages * HASH_BYTES;
  const size = Math.ceil((SUPER_BLOB_BYTES + directoryBytes) / 16) * 16;
  // The signature covers the load commands, so they change first.
  before.writeUInt32LE(size, layout.signature + 12);
  const linkEditSize = BigInt(layout.limit + size) - before.readBigUInt64LE(layout.linkEdit + 40);
  const mapped = BigInt(MAPPED_PAGE);
  before.writeBigUInt64LE(((linkEditSize + mapped - 1n) / mapped) * mapped, layout.linkEdit + 32);
  before.writeBigUInt64LE(linkEditSize, layout.linkEdit + 48);

  const signature = Buffer.alloc(size);
  [SUPER_BLOB, SUPER_BLOB_BYTES + directoryBytes, 1, 0, SUPER_BLOB_BYTES].forEach((value, index) => {
    signature.writeUInt32BE(value, 4 * index);
  });
  const directory = signature.subarray(SUPER_BLOB_BYTES);
  const hashes = HEADER_BYTES + identifier.length + 1;
  const fields = [
    CODE_DIRECTORY,
    directoryBytes,
    VERSION,
    AD_HOC,
    hashes,
    HEADER_BYTES,
    0,
    pages,
    layout.limit,
  ];
  for (const [index, value] of fields.entries()) directory.writeUInt32BE(value, 4 * index);
  directory.set([HASH_BYTES, SHA256, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(before.readBigUInt64LE(layout.text + 48), 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  directory.write(identifier, HEADER_BYTES);
  for (let page = 0; page < pages; page++)
    directory.set(pageHash(before, page, layout.limit), hashes + page * HASH_BYTES);
  return Buffer.concat([before, signature]);
}

/**
 * Returns what is wrong with the signature of a file; null when all signed bytes match. Throws for a file that has no signature.
 */
export function signatureProblem(file: Uint8Array): string | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const layout = layoutOf(bytes);
  const blob = bytes.subarray(layout.limit);
  if (blob.length < SUPER_BLOB_BYTES || blob.readUInt32BE(0) !== SUPER_BLOB) return "there is no signature";
  const directory = blob.subarray(blob.readUInt32BE(16));
  if (directory.readUInt32BE(0) !== CODE_DIRECTORY) return "there is no list of hashes";
  if (directory.readUInt32BE(32) !== layout.limit) return "it does not cover the whole file";
  const [hashes, pages] = [directory.readUInt32BE(16), directory.readUInt32BE(28)];
  if (pages !== Math.ceil(layout.limit / PAGE)) return "it has not a hash for each page";
  for (let page = 0; page < pages; page++) {
    const at = hashes + page * HASH_BYTES;
    if (!pageHash(bytes, page, layout.limit).equals(directory.subarray(at, at + HASH_BYTES)))
      return `page ${page} has changed since it was signed`;
  }
  return null;
}

function pageHash(bytes: Buffer, page: number, limit: number): Buffer {
  const content = bytes.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit));
  return new Bun.CryptoHasher("sha256").update(content).digest();
}

function layoutOf(file: Uint8Array): Layout {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const found = new Map<string, number>();
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    const command = bytes.readUInt32LE(at);
    if (command === COMMAND_SIGNATURE) found.set("signature", at);
    if (command === COMMAND_SEGMENT)
      found.set(bytes.toString("latin1", at + 8, at + 24).replace(/\0.*/, ""), at);
    at += bytes.readUInt32LE(at + 4);
  }
  const [signature, text, linkEdit] = ["signature", "__TEXT", "__LINKEDIT"].map((name) => found.get(name));
  if (signature === undefined || text === undefined || linkEdit === undefined)
    throw new Error("this Mach-O file has no place for a signature");
  return { signature, text, linkEdit, limit: bytes.readUInt32LE(signature + 8) };
}
