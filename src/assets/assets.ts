import type { AssetName } from "./catalog.ts";

/** Why an asset on disk is not what it should be. */
export interface AssetProblem {
  file: string;
  problem: "missing" | "changed" | "unsafe";
}

/** The files that mementor needs beside its code, wherever they come from. */
export interface Assets {
  /** Identifies the set; two builds with equal assets share it. */
  readonly contentHash: string;
  has(name: AssetName): boolean;
  /** Path of the file, written or repaired first where needed, together with the files of its group. */
  path(name: AssetName): Promise<string>;
  /** The file's bytes, without writing anything to disk. */
  bytes(name: AssetName): Promise<Uint8Array>;
  /** SHA-256 of the file, lower-case hex. */
  sha256(name: AssetName): Promise<string>;
  /**
   * Path of a file that is made on this machine and kept beside the others. `make` writes it to the path that it
   * is given; it runs when the file is missing or broken, in at most one process at a time.
   */
  derived(name: string, make: (path: string) => Promise<void>): Promise<string>;
  /** Hashes every file that was written to disk; an empty list means that all are as they should be. */
  verify(): Promise<AssetProblem[]>;
  /** Removes the files that `verify` finds wrong; each is written or made again at its next use. */
  repair(): Promise<void>;
}

/** Where assets may be written. */
export interface AssetPlaces {
  /** `${XDG_CACHE_HOME:-~/.cache}`; made if missing. */
  cacheDir: string;
  /** A directory of this user inside the temporary directory, for when `cacheDir` cannot be written. */
  fallbackDir: string;
  /** Null where the platform has no user ids. */
  uid: number | null;
  now: () => Date;
  warn: (message: string) => void;
}
