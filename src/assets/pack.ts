import type { CatalogEntry } from "./catalog.ts";

/** One asset as it is embedded in the binary. */
export interface PackedFile extends Pick<CatalogEntry, "name" | "file" | "group" | "executable"> {
  /** Of the extracted file, in bytes. */
  size: number;
  /** Of the extracted file, lower-case hex. */
  sha256: string;
  encoding: "zstd" | "none";
  /** Path of the embedded bytes, for `Bun.file`. */
  embedded: string;
}

/** All assets of one build. */
export interface Pack {
  /** Changes when any asset changes. Names the directory that the assets are extracted to. */
  contentHash: string;
  files: readonly PackedFile[];
}
