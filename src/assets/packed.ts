import type { AssetPack } from "./catalog.ts";

/** The assets embedded in the binary; null when run from source. The build replaces this module with a generated one. */
export const packed: AssetPack | null = null;
