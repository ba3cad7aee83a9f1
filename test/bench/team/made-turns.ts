import type { Chunk, Turn } from "../../../src/domain.ts";
import { type IndexedWords, WordIndexer } from "../../../src/store/postgres/search/word-indexer.ts";
import { CHUNKS_A_TURN, madeTurn, randomVector } from "../synthetic.ts";
import { halfvecBytes } from "./copy-file.ts";

export const MODEL = { id: "synthetic", dimensions: 384 };
/** Projects with more turns than this are made once, and not kept. */
const MAX_KEPT = 2_000;
/** Stands for the project in words that are kept. */
const NO_PROJECT = 0;

/** A turn as a server stores it. */
export interface ServerTurn {
  turn: Turn;
  /** Each chunk with its vector as `COPY` reads it. */
  chunks: readonly { chunk: Chunk; halves: Buffer }[];
  /** What is indexed of the turn, then of each chunk. */
  words: readonly IndexedWords[];
}

/** The turns of projects of one size: small ones are made once for all projects. */
export class MadeTurns {
  readonly seed: number;
  readonly chunks: number;
  readonly #indexer = new WordIndexer(NO_PROJECT);
  readonly #kept: ServerTurn[] = [];

  constructor(seed: number, chunks: number) {
    this.seed = seed;
    this.chunks = chunks;
  }

  at(index: number, project: number): ServerTurn {
    const made = this.#kept[index] ?? this.#make(index);
    if (index < MAX_KEPT) this.#kept[index] = made;
    const words = made.words.map((each) => ({
      ...each,
      words: each.words.replaceAll(`'${NO_PROJECT}:`, `'${project}:`),
    }));
    return { ...made, words };
  }

  #make(index: number): ServerTurn {
    const { turn, chunks } = madeTurn(index, this.chunks, this.seed);
    const words = this.#indexer.index([turn.text, ...chunks.map(({ content }) => content)]);
    const withVectors = chunks.map((chunk, i) => {
      const seed = this.seed + index * CHUNKS_A_TURN + i + 1;
      return { chunk, halves: halfvecBytes(randomVector(seed, MODEL.dimensions)) };
    });
    return { turn, chunks: withVectors, words };
  }
}
