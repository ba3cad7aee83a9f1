import { open } from "node:fs/promises";
import { catalog } from "../assets/catalog.ts";
import { PLATFORMS, type Target } from "../assets/target.ts";

/** The newest symbols that a binary may need: those of glibc 2.28 and GCC 8, as in RHEL 8 and Debian 10. */
const LIMITS: Readonly<Record<string, string>> = { GLIBC: "2.28", GLIBCXX: "3.4.25", CXXABI: "1.3.11" };

const SECTION_NEEDED_VERSIONS = 0x6ffffffe;

/** Throws when a native library of a glibc target, or the given binary, needs a newer system than is promised. */
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

/** Returns whether a version of symbols, such as `GLIBC_2.30`, is newer than every promised system has. */
export function isTooNew(version: string): boolean {
  const [, library = "", number = ""] = /^([A-Z]+)_([\d.]+)$/.exec(version) ?? [];
  const limit = LIMITS[library];
  return limit !== undefined && number.localeCompare(limit, "en", { numeric: true }) > 0;
}

/** Returns the versions of symbols that a 64-bit little-endian ELF file needs, such as `GLIBC_2.17`, sorted. */
export async function neededVersions(file: string): Promise<string[]> {
  await using handle = await open(file);
  const read = async (offset: number, length: number) =>
    (await handle.read(Buffer.alloc(length), 0, length, offset)).buffer;
  const sections = await sectionsOf(read);
  const found = sections.find(({ type }) => type === SECTION_NEEDED_VERSIONS);
  const names = found && sections[found.link];
  if (!found || !names) return [];
  const [needed, strings] = [await read(found.offset, found.size), await read(names.offset, names.size)];
  return nameOffsets(needed)
    .map((at) => strings.toString("latin1", at, strings.indexOf(0, at)))
    .sort();
}

type Read = (offset: number, length: number) => Promise<Buffer>;

async function sectionsOf(read: Read) {
  const header = await read(0, 64);
  const [offset, size, count] = [
    Number(header.readBigUInt64LE(40)),
    header.readUInt16LE(58),
    header.readUInt16LE(60),
  ];
  const table = await read(offset, size * count);
  return Array.from({ length: count }, (_, index) => {
    const at = index * size;
    return {
      type: table.readUInt32LE(at + 4),
      offset: Number(table.readBigUInt64LE(at + 24)),
      size: Number(table.readBigUInt64LE(at + 32)),
      link: table.readUInt32LE(at + 40),
    };
  });
}

/** Walks the list of libraries, and in each the list of its versions. */
function nameOffsets(needed: Buffer): number[] {
  const offsets: number[] = [];
  for (let library = 0, next = -1; next !== 0; library += next) {
    let version = library + needed.readUInt32LE(library + 8);
    for (let left = needed.readUInt16LE(library + 2); left > 0; left--) {
      offsets.push(needed.readUInt32LE(version + 8));
      version += needed.readUInt32LE(version + 12);
    }
    next = needed.readUInt32LE(library + 12);
  }
  return offsets;
}
