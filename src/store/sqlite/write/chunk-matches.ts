import type { Chunk } from "../../../domain.ts";

/** A stored chunk of a turn. */
export interface ExistingChunk extends Omit<Chunk, "content"> {
  id: number;
  /** Hexadecimal. */
  hash: string;
}

export interface ChunkMatches<Wanted extends Chunk> {
  /** The chunks that the turn gets, each with the stored chunk that it keeps. */
  wanted: { chunk: Wanted; hash: Uint8Array; kept: ExistingChunk | undefined }[];
  /** Stored chunks that no longer belong to the turn. */
  spare: ExistingChunk[];
  /** True when the stored chunks are the wanted ones already, each at its place. */
  unchanged: boolean;
}

/** 16 bytes of SHA-256 are enough to tell texts apart, and halve the index. */
const HASH_BYTES = 16;

/** Returns the hash that identifies a chunk's text in the whole database. */
export function contentHash(content: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(content).digest().subarray(0, HASH_BYTES);
}

/** Finds the stored chunk with the same text for each chunk of a turn. */
export function matchChunks<Wanted extends Chunk>(
  existing: readonly ExistingChunk[],
  chunks: readonly Wanted[],
): ChunkMatches<Wanted> {
  const free = Map.groupBy(existing, (row) => row.hash);
  const wanted = chunks.map((chunk) => {
    const hash = contentHash(chunk.content);
    return { chunk, hash, kept: free.get(Buffer.from(hash).toString("hex"))?.shift() };
  });
  const spare = [...free.values()].flat();
  const unchanged =
    spare.length === 0 && wanted.every(({ chunk, kept }) => kept !== undefined && isInPlace(kept, chunk));
  return { wanted, spare, unchanged };
}

function isInPlace(row: ExistingChunk, chunk: Chunk): boolean {
  return row.chunkIndex === chunk.chunkIndex && row.start === chunk.start && row.end === chunk.end;
}
