/** Every number that shapes behaviour, with where it came from. */

/** Chunks, in tokens of the model without the special ones (design notes: at most 256, about 40 overlap). */
export const CHUNK_LIMITS = { maxTokens: 256, overlapTokens: 40 } as const;

/** How many chunks are taken from the database at a time for embedding: some ten seconds of work. */
export const EMBED_PAGE = 512;

/** How many vectors one transaction saves: about a second of embedding, so that a kill costs no more than that. */
export const VECTORS_PER_TRANSACTION = 64;
