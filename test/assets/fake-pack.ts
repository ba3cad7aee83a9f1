import { join } from "node:path";
import type { AssetPack, AssetPlaces, PackedFile } from "../../src/assets/catalog.ts";
import { sha256 } from "../../src/assets/directory.ts";

const SIZE = 300_000;
const NAMES = [
  { name: "ort-binding", file: "binding.node", group: "native", executable: true },
  { name: "ort-library", file: "library.so", group: "native", executable: true },
  { name: "model", file: "model/model.onnx", group: "model", executable: false },
] as const;

/** Writes a small pack to a directory, as the build would embed it; the contents follow from `seed`. */
export async function writeFakePack(directory: string, seed = 0): Promise<AssetPack> {
  const files: PackedFile[] = [];
  for (const [index, entry] of NAMES.entries()) {
    const bytes = new Uint8Array(SIZE + index).map((_, i) => (i * (index + 3 + seed)) % 251);
    const embedded = join(directory, `${entry.name}.zst`);
    await Bun.write(embedded, Bun.zstdCompressSync(bytes));
    files.push({ ...entry, size: bytes.byteLength, sha256: sha256(bytes), encoding: "zstd", embedded });
  }
  return { contentHash: `${seed}`.padStart(16, "0"), files };
}

/** Places below a directory, at a fixed time; warnings are collected. */
export function places(directory: string, warnings: string[] = [], now = new Date()): AssetPlaces {
  return {
    cacheDir: join(directory, "cache"),
    fallbackDir: join(directory, "fallback"),
    uid: process.getuid?.() ?? null,
    mayUnpack: true,
    now: () => now,
    warn: (message) => warnings.push(message),
  };
}
