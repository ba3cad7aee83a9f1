import type { Chunk, Turn } from "../../../src/domain.ts";
import { type IndexedWords, indexWords } from "../../../src/store/postgres/search/keywords.ts";
import { madeTurn, randomVector, type Shape } from "../synthetic.ts";
import { halfvecBytes } from "./copy-file.ts";

export const MODEL = { id: "synthetic", dimensions: 384 };
/**
 * As turns are that would be pushed. The 832 of people's own in three histories of agents have on average 8.5 chunks of 760
 * characters and 131 words, of which 71 differ; 5,600 characters, in which 220 words differ; and 4.9 mentions of files. Turns
 * of this shape have 9 chunks of 780 characters and 75 words that differ, 220 a turn.
 */
export const SHAPE: Shape = { chunksATurn: 9, wordsAChunk: 120, wordsATurn: 350, mentionsATurn: 5 };
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
    const { turn, chunks } = madeTurn(index, this.chunks, this.seed, SHAPE);
    const words = indexWords(NO_PROJECT, [turn.text, ...chunks.map(({ content }) => content)]);
    const withVectors = chunks.map((chunk, i) => {
      const seed = this.seed + index * SHAPE.chunksATurn + i + 1;
      return { chunk, halves: halfvecBytes(randomVector(seed, MODEL.dimensions)) };
    });
    return { turn, chunks: withVectors, words };
  }
}
