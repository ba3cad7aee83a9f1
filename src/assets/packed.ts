import type { Pack } from "./pack.ts";

/** What the binary carries; null when run from source. The build puts a generated module in this one's place. */
export const packed: Pack | null = null;
