import type { Pack } from "./pack.ts";

/** The assets embedded in the binary; null when run from source. The build replaces this module with a generated one. */
export const packed: Pack | null = null;
