import type { AssetName } from "./catalog.ts";

/** Why an asset on disk is not what it should be. */
export interface AssetProblem {
  file: string;
  problem: "missing" | "changed" | "unsafe";
}

/** The files that mementor needs in addition to its code, wherever they come from. */
export interface Assets {
  /** Identifies the set; two builds with equal assets share it. */
  readonly contentHash: string;
  has(name: AssetName): boolean;
  /** Path of the file. Extracts or repairs the file and its group first if needed. */
  path(name: AssetName): Promise<string>;
  /** The file's bytes, without writing anything to disk. */
  bytes(name: AssetName): Promise<Uint8Array>;
  /** SHA-256 of the file, lower-case hex. */
  sha256(name: AssetName): Promise<string>;
  /**
   * Path of a file that is generated on this machine and stored beside the others. `make` writes the file to the
   * given path. It runs only when the file is missing or damaged, in at most one process at a time.
   */
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
  /** Hashes every file that was written to disk. An empty list means that all are intact. */
  verify(): Promise<AssetProblem[]>;
  /** Removes the files that `verify` reports. Each is extracted or generated again at its next use. */
  repair(): Promise<void>;
}

/** Where assets may be written. */
export interface AssetPlaces {
  /** `${XDG_CACHE_HOME:-~/.cache}`; created if missing. */
  cacheDir: string;
  /** A directory of this user inside the temporary directory, used when `cacheDir` is not writable. */
  fallbackDir: string;
  /** Null where the platform has no user ids. */
  uid: number | null;
  /** False for hooks, which have no time for it: what is not on disk yet rejects with `assets_packed`. */
  mayUnpack: boolean;
  now: () => Date;
  warn: (message: string) => void;
}
