import { KEYWORDS_VERSION } from "../../../text/keywords-version.ts";

/** The version of the words that the whole memory is indexed with, in `meta`. */
export const DONE = "keywords";

/** The key and value in `meta` of a memory that holds nothing, or only what is indexed with the words of today. */
export const INDEXED: readonly [key: string, value: string] = [DONE, String(KEYWORDS_VERSION)];
