import type { AssetName } from "./catalog.ts";

/** One asset as the binary carries it. */
export interface PackedFile {
  name: AssetName;
  /** Name it has on disk once extracted. */
  file: string;
  group: string;
  executable: boolean;
  /** Of the extracted file, in bytes. */
  size: number;
  /** Of the extracted file, lower-case hex. */
  sha256: string;
  encoding: "zstd" | "none";
  /** Where the carried bytes are, readable by `Bun.file`. */
  embedded: string;
}

/** All assets of one build. */
export interface Pack {
  /** Changes when any asset does; names the directory that they are extracted to. */
  contentHash: string;
  files: readonly PackedFile[];
}
