import type { Chunk, Turn } from "../../src/domain.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { parseText } from "../../src/turn/grammar.ts";

const TURNS_A_SESSION = 12;
const VOCABULARY = 30_000;
const CLUSTERS = 64;
const TURNS_A_BATCH = 250;
/** Where the seeds of resources begin; those of chunks are their ids. */
const OTHER_VECTORS = 5_000_000;
/** The same for the words of whole turns. */
const OTHER_TEXTS = 2_000_000_000;

/** What made-up turns are like. */
export interface Shape {
  chunksATurn: number;
  wordsAChunk: number;
  /** How many words a turn draws all of its text from; null for the whole vocabulary. */
  wordsATurn: number | null;
  mentionsATurn: number;
}

const PLAIN: Shape = { chunksATurn: 8, wordsAChunk: 80, wordsATurn: null, mentionsATurn: 1 };

/** One of the sessions, which touched a file in each of its turns. */
export const SESSION = "synthetic-3";

/**
 * A memory of random words, as common as words are (Zipf), in turns of a prompt and an answer, and of vectors around some
 * centres; the same every time.
 */
export class Synthetic {
  readonly #dimensions: number;
  readonly #seed: number;
  readonly #shape: Shape;

  /** @param seed added to the seeds of texts and vectors: memories with other seeds hold other things. */
  constructor(dimensions: number, seed = 0, shape = PLAIN) {
    this.#dimensions = dimensions;
    this.#seed = seed;
    this.#shape = shape;
  }

  /** Fills an empty store with so many turns, without vectors. */
  async fillTurns(store: SqliteStore, turns: number): Promise<void> {
    await this.#write(store, turns, turns * this.#shape.chunksATurn);
  }

  /** Fills an empty store with so many chunks; returns their vectors one behind the other. */
  async fill(store: SqliteStore, chunks: number): Promise<Float32Array> {
    await this.#write(store, Math.ceil(chunks / this.#shape.chunksATurn), chunks);
    await this.#embedResources(store);
    const vectors = new Float32Array(chunks * this.#dimensions);
    for (let done = 0; ; ) {
      const page = await store.ingest.pendingChunks(2_000);
      if (page.length === 0) return vectors;
      const made = page.map(({ chunkId }) => ({
        chunkId,
        vector: randomVector(this.#seed + chunkId, this.#dimensions),
      }));
      for (const { vector } of made) vectors.set(vector, done++ * this.#dimensions);
      await store.ingest.saveVectors(made);
    }
  }

  async #write(store: SqliteStore, turns: number, chunks: number): Promise<void> {
    for (let first = 0; first < turns; first += TURNS_A_BATCH) {
      const count = Math.min(TURNS_A_BATCH, turns - first);
      await store.ingest.write(
        batch(Array.from({ length: count }, (_, i) => madeTurn(first + i, chunks, this.#seed, this.#shape))),
      );
    }
  }

  async #embedResources({ ingest }: SqliteStore): Promise<void> {
    for (let done = 0; ; ) {
      const page = await ingest.pendingResources(2_000);
      if (page.length === 0) break;
      const vector = () => randomVector(OTHER_VECTORS + done++, this.#dimensions);
      await ingest.saveResources(page.map((resource) => ({ resource, vector: vector() })));
    }
    await ingest.refreshAccessPatterns();
  }
}

/** Makes a turn of a memory with so many chunks; those after the memory's last are left out. */
export function madeTurn(
  index: number,
  chunks: number,
  seed: number,
  { chunksATurn, wordsAChunk, wordsATurn, mentionsATurn }: Shape = PLAIN,
): { turn: Turn; chunks: Chunk[] } {
  const first = index * chunksATurn;
  const own = wordsATurn === null ? null : randomText(OTHER_TEXTS + seed + first, wordsATurn).split(" ");
  const parts = Array.from({ length: Math.min(chunksATurn, chunks - first) }, (_, i) => {
    const ofChunk = seed + first + i + 1;
    const words = own === null ? randomText(ofChunk, wordsAChunk) : drawn(ofChunk, wordsAChunk, own);
    if (i === 0) return `[User] ${words}\n`;
    return i === 1 ? `[Assistant] ${words}` : words;
  });
  const session = Math.floor(index / TURNS_A_SESSION);
  let start = 0;
  const cut = parts.map((content, chunkIndex) => {
    const chunk = { chunkIndex, content, start, end: start + content.length };
    start = chunk.end + 1;
    return chunk;
  });
  const turn: Turn = {
    sessionId: `synthetic-${session}`,
    agentId: null,
    isSidechain: false,
    lineIndex: (index % TURNS_A_SESSION) * 10,
    provisional: false,
    role: "turn",
    origin: "human",
    ...parseText(parts.join("\n")),
    toolSummary: [],
    mentions: Array.from({ length: mentionsATurn }, (_, i) => ({
      filePath: `src/part-${(index + i) % 97}/file-${(index + i) % 1009}.ts`,
      toolName: "Edit",
    })),
    commits: [],
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    endedAt: null,
    branch: "main",
    cwd: "/home/ada/project",
    model: null,
    clientVersion: null,
    promptUuid: `prompt-${index}`,
    entryUuids: [`prompt-${index}`],
  };
  return { turn, chunks: cut };
}

function batch(turns: { turn: Turn; chunks: Chunk[] }[]) {
  const path = `/transcripts/${turns[0]?.turn.promptUuid}.jsonl`;
  const place = { byteOffset: 1, lineIndex: 1_000, resumeOffset: 0, resumeLine: 0, size: 1, mtimeMs: 1 };
  return {
    source: {
      path,
      sessionId: null,
      agentId: null,
      fingerprint: "",
      skipped: {},
      sessions: [],
      leftOut: [],
      readerState: null,
      readerVersion: 0,
      ...place,
    },
    rewritten: false,
    sessions: [],
    subagents: [],
    turns,
    copies: [],
    prLinks: [],
    compactions: [],
  };
}

/** Words separated by blanks, the same for the same seed. */
export function randomText(seed: number, words: number): string {
  const random = generator(seed);
  return Array.from({ length: words }, () => wordOf(Math.floor(VOCABULARY ** random()))).join(" ");
}

/** Words of a list, the first ones more often than the last. */
function drawn(seed: number, words: number, list: readonly string[]): string {
  const random = generator(seed);
  return Array.from({ length: words }, () => list[Math.floor(list.length * random() ** 2)]).join(" ");
}

const WORDS: string[] = [];

/** Made of syllables, so that words look like words to a stemmer. */
function wordOf(rank: number): string {
  const known = WORDS[rank];
  if (known !== undefined) return known;
  const syllables = ["ka", "lo", "mi", "nu", "re", "sa", "ti", "vo", "ze", "pu"];
  const word = [...rank.toString()].map((digit) => syllables[Number(digit)] ?? "").join("");
  WORDS[rank] = word;
  return word;
}

/** A unit vector near one of the centres, the same for the same seed. */
export function randomVector(seed: number, dimensions: number): Float32Array {
  const [centre, own] = [generator(seed % CLUSTERS), generator(seed + CLUSTERS)];
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = centre() - 0.5 + (own() - 0.5) * 0.8;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
