import { resolve } from "node:path";
import type { Embedder } from "../../src/embed/embedder.ts";
import { classify } from "../../src/recall/classify.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { ForeignPart } from "./foreign.ts";
import { memoryOf, openBenchStore } from "./memory.ts";
import { humanPrompts, type LabelledQuery, readQueries } from "./prompts.ts";
import { type WindowSize, windowsOf } from "./windows.ts";

/** A labelled history. */
export interface Corpus {
  name: string;
  directory: string;
  queries: LabelledQuery[];
}

export type PromptGroup = "right" | "unrelated" | "trivial";

/** One prompt for one memory. */
export interface WindowPrompt {
  corpus: string;
  size: WindowSize;
  window: number;
  group: PromptGroup;
  prompt: LabelledQuery;
}

/** What prompts are asked of: the memory of one window. */
export interface WindowMemory {
  store: SqliteStore;
  embedder: Pick<Embedder, "embed">;
}

const RECALL_FIXTURES = resolve(import.meta.dir, "../../fixtures/recall");
/** Of each other corpus at most so many typed prompts are asked. */
const TYPED_PER_CORPUS = 300;
/** How many unrelated and trivial prompts are asked for each size of each corpus. */
const UNRELATED_PER_SIZE = 600;
const TRIVIAL_PER_SIZE = 164;

export function readCorpus(directory: string, queries: string): Corpus {
  const parts = resolve(directory).split("/");
  const name = parts.at(-1) === "projects" ? parts.at(-2) : parts.at(-1);
  return { name: name ?? directory, directory, queries: readQueries(queries) };
}

/** Returns prompts that no session of the corpus answers: those of other histories, and everyday ones. */
export async function unrelatedPrompts(corpus: Corpus, corpora: readonly Corpus[]): Promise<LabelledQuery[]> {
  const others = corpora.filter((other) => other !== corpus);
  const typed = await Promise.all(others.map(({ directory }) => humanPrompts(directory, TYPED_PER_CORPUS)));
  const prompts = [
    ...fixture("everyday"),
    ...fixture("unrelated"),
    ...others.flatMap(({ queries }) => queries),
    ...typed.flat().map((query) => ({ query, kind: "unrelated", sessions: [], paths: [] })),
  ];
  return prompts
    .filter(({ query }) => !classify(query).trivial)
    .map((prompt) => ({ ...prompt, sessions: [] }))
    .sort((a, b) => Bun.hash.xxHash32(a.query) - Bun.hash.xxHash32(b.query));
}

/** Asks each window of a corpus what its sessions know, and its share of the unrelated and the trivial prompts. */
export async function* promptsOfWindows<T>(
  corpus: Corpus,
  size: WindowSize,
  unrelated: readonly LabelledQuery[],
  {
    embedder,
    foreign,
    ask,
  }: {
    embedder: Pick<Embedder, "embed">;
    foreign: ForeignPart;
    ask: (asked: WindowPrompt, memory: WindowMemory) => Promise<T>;
  },
): AsyncGenerator<T> {
  const windows = await windowsOf(corpus.directory, size);
  const trivial = fixture("trivial");
  for (const [window, sessions] of windows.entries()) {
    const { file, told, remove } = await memoryOf(sessions, foreign);
    const store = await openBenchStore(file);
    try {
      if ((await store.search.totals()).turns === 0) continue;
      const known = new Set(told.map(({ sessionId }) => sessionId));
      const right = corpus.queries.filter((query) => query.sessions.some((id) => known.has(id)));
      const share = { window, windows: windows.length };
      const groups = {
        right,
        unrelated: partOf(unrelated, UNRELATED_PER_SIZE, share),
        trivial: partOf(trivial, TRIVIAL_PER_SIZE, share),
      };
      for (const group of ["right", "unrelated", "trivial"] as const)
        for (const prompt of groups[group])
          yield await ask({ corpus: corpus.name, size, window, group, prompt }, { store, embedder });
    } finally {
      await store.close();
      remove();
    }
  }
}

/** A window's part of the first `most` prompts: each is asked of one window. */
function partOf(
  prompts: readonly LabelledQuery[],
  most: number,
  { window, windows }: { window: number; windows: number },
): LabelledQuery[] {
  return prompts.slice(0, most).filter((_, i) => i % windows === window);
}

function fixture(name: string): LabelledQuery[] {
  return readQueries(`${RECALL_FIXTURES}/${name}.jsonl`);
}
