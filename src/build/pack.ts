import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type CatalogEntry, catalog, type PackedFile } from "../assets/catalog.ts";
import { sha256 } from "../assets/directory.ts";
import type { Target } from "../assets/target.ts";
import { buildVocabulary } from "../embed/tokenizer/vocabulary.ts";

const CACHE = ".cache/assets";
/** Level 19 takes twenty times as long and saves 1.7 of 42 MB. */
const ZSTD_LEVEL = 9;
const HASH_LENGTH = 16;

/** The assets to embed, and the module that embeds them. */
export interface PackedAssets {
  /** Path of the generated module that replaces `src/assets/packed.ts`. */
  module: string;
  files: (PackedFile & { packedSize: number })[];
}

/** Compresses the assets of a target and writes the module that embeds them. */
export async function packAssets(target: Target): Promise<PackedAssets> {
  mkdirSync(CACHE, { recursive: true });
  const files = [];
  for (const entry of catalog(target)) files.push(await packFile(entry));
  const module = resolve(CACHE, `packed-${target}.ts`);
  await Bun.write(module, moduleText(files));
  return { module, files };
}

async function packFile(entry: CatalogEntry): Promise<PackedFile & { packedSize: number }> {
  const bytes = await contentOf(entry);
  const hash = sha256(bytes);
  const encoding = entry.compress ? "zstd" : "none";
  const embedded = resolve(
    CACHE,
    `${hash.slice(0, HASH_LENGTH)}-${basename(entry.file)}${entry.compress ? ".zst" : ""}`,
  );
  if (!(await Bun.file(embedded).exists()))
    await Bun.write(embedded, entry.compress ? Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL }) : bytes);
  const { name, file, group, executable } = entry;
  const packedSize = Bun.file(embedded).size;
  return {
    name,
    file,
    group,
    executable,
    size: bytes.byteLength,
    sha256: hash,
    encoding,
    embedded,
    packedSize,
  };
}

async function contentOf({ name, source }: CatalogEntry): Promise<Uint8Array> {
  if (source !== null) return Bun.file(source).bytes();
  if (name === "vocabulary") return buildVocabulary(await Bun.file(sourceOf("tokenizer")).text());
  throw new Error(`${name} has neither a source nor a generator`);
}

function sourceOf(name: string): string {
  const entry = catalog("linux-x64").find((candidate) => candidate.name === name);
  if (entry?.source == null) throw new Error(`${name} has no source`);
  return entry.source;
}

function moduleText(files: readonly PackedFile[]): string {
  const contentHash = sha256(
    new TextEncoder().encode(files.map((file) => `${file.file} ${file.sha256}`).join("\n")),
  );
  const imports = files.map(
    ({ embedded }, index) => `import file${index} from ${JSON.stringify(embedded)} with { type: "file" };`,
  );
  const rows = files.map(({ embedded: _, ...file }, index) => {
    const fields = JSON.stringify(pick(file));
    return `    { ...${fields}, embedded: file${index} },`;
  });
  return [
    ...imports,
    "export const packed = {",
    `  contentHash: "${contentHash.slice(0, HASH_LENGTH)}",`,
    "  files: [",
    ...rows,
    "  ],",
    "};",
    "",
  ].join("\n");
}

function pick({ name, file, group, executable, size, sha256, encoding }: Omit<PackedFile, "embedded">) {
  return { name, file, group, executable, size, sha256, encoding };
}
