import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { rankForPrompt } from "../../src/recall/ranking.ts";
import { search } from "../../src/recall/search.ts";
import type { OpenMode } from "../../src/store/sqlite/file/open.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { VectorBackend } from "../../src/store/sqlite/vectors/vector-search.ts";
import { keywordText } from "../../src/text/keywords.ts";
import { median, type Row, scratchDir } from "./measure.ts";
import { randomText, randomVector, SESSION, Synthetic } from "./synthetic.ts";
import { traced } from "./traced.ts";

const SIZES = [1_000, 10_000, 100_000];
const QUERIES = 25;
export const DIMENSIONS = 384;
/** Steps of a prompt's search that take a smaller share of it are not shown. */
const LEAST_SHARE = 0.02;

/**
 * Measures finding in memories of a thousand to a hundred thousand made-up chunks, each beside the plainest way to do it.
 * Every search has a connection of its own, as a hook has: what the one before has read is in no cache of SQLite's.
 */
export async function measureSearch(sizes: readonly number[] = SIZES): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunks of sizes) rows.push(...(await measureSize(chunks)));
  return rows;
}

async function measureSize(chunks: number): Promise<Row[]> {
  using scratch = scratchDir();
  const file = join(scratch.path, "memory.db");
  const writer = await open(file, "create");
  const vectors = await new Synthetic(DIMENSIONS).fill(writer, chunks);
  await writer.close();
  const [scan, match, nearest, keyword, hybrid, prompt] = await timed(
    async (query) => () => scanAll(vectors, query.meaning),
    async (query) => {
      const db = new Database(file, { readonly: true });
      return () => matchAll(db, query.text);
    },
    searching(file, ({ search }, query) => search.nearestChunks(query.meaning, 200)),
    searching(file, ({ search }, query) => search.keywordChunks(query.text.split(" "), 200)),
    searching(file, ({ search: store }, { text, meaning }) =>
      search({ query: text, limit: 8 }, { store, embed: async () => meaning }),
    ),
    searching(file, (store, query) => rankPrompt(store.search, query, chunks)),
  );
  const size = `${chunks.toLocaleString("en")} chunks`;
  const both = { baseline: "both of these", baselineMs: scan + match };
  return [
    { what: `${size}, nearest 200`, ms: nearest, baseline: "all dot products", baselineMs: scan },
    { what: `${size}, keywords 200`, ms: keyword, baseline: "one plain FTS5 query", baselineMs: match },
    { what: `${size}, whole search`, ms: hybrid, ...both },
    { what: `${size}, a prompt's search in a session`, ms: prompt, ...both },
    ...(await stepsOfPrompt(file, chunks)),
  ];
}

interface Query {
  text: string;
  meaning: Float32Array;
}

function madeQuery(index: number): Query {
  return {
    text: randomText(1_000_003 + index, 8),
    meaning: randomVector(2_000_003 + index, DIMENSIONS),
  };
}

/** The search of a prompt in the middle of a session that touched files, without the time to embed it. */
function rankPrompt(store: SqliteStore["search"], { text, meaning }: Query, chunks: number) {
  const openEmbed = async () => async () => meaning;
  return rankForPrompt(text, SESSION, chunks, {
    store,
    openEmbed,
    timeLeftMs: () => Number.POSITIVE_INFINITY,
  });
}

/** The steps of the same, each with its share in the whole. */
async function stepsOfPrompt(file: string, chunks: number): Promise<Row[]> {
  const runs: Map<string, number>[] = [];
  const [whole] = await timed(
    searching(file, (store, query) => {
      const times = new Map<string, number>();
      runs.push(times);
      return rankPrompt(traced(store.search, times), query, chunks);
    }),
  );
  return [...new Set(runs.flatMap((times) => [...times.keys()]))]
    .map((step) => ({ step, ms: median(runs.map((times) => times.get(step) ?? 0)) }))
    .filter(({ ms }) => ms >= LEAST_SHARE * whole)
    .sort((a, b) => b.ms - a.ms)
    .map(({ step, ms }) => ({
      what: `… of it ${step}`,
      ms,
      baseline: "the prompt's search",
      baselineMs: whole,
    }));
}

/** Some work on a store that was only just opened. */
export function searching(
  file: string,
  work: (store: SqliteStore, query: Query) => Promise<unknown>,
  backend: VectorBackend = "auto",
): Prepare {
  return async (query, after) => {
    const store = await open(file, "readonly", backend);
    after(() => store.close());
    return () => work(store, query);
  };
}

type Prepare = (query: Query, after: (close: () => Promise<void>) => void) => Promise<() => unknown>;

/** The median time of each kind of work, done in turn, so that a busy moment hits all of them. */
export async function timed<Kinds extends readonly Prepare[]>(
  ...kinds: Kinds
): Promise<{ [Kind in keyof Kinds]: number }> {
  const times = kinds.map((): number[] => []);
  for (let i = -1; i < QUERIES; i++)
    for (const [kind, prepare] of kinds.entries()) {
      const ms = await timeOnce(prepare, madeQuery(Math.max(0, i)));
      if (i >= 0) times[kind]?.push(ms);
    }
  return times.map(median) as { [Kind in keyof Kinds]: number };
}

async function timeOnce(prepare: Prepare, query: Query): Promise<number> {
  const closing: (() => Promise<void>)[] = [];
  const work = await prepare(query, (close) => closing.push(close));
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  for (const close of closing) await close();
  return ms;
}

function matchAll(db: Database, text: string): void {
  const words = keywordText(text).split(" ");
  db.query(
    "SELECT rowid FROM chunk_keywords WHERE chunk_keywords MATCH ? ORDER BY bm25(chunk_keywords) LIMIT 200",
  ).all(words.map((word) => `"${word}"`).join(" OR "));
  db.close();
}

function scanAll(vectors: Float32Array, query: Float32Array): { at: number; score: number }[] {
  const scores: { at: number; score: number }[] = [];
  for (let start = 0, at = 0; start < vectors.length; start += query.length, at++) {
    let score = 0;
    for (let i = 0; i < query.length; i++) score += (vectors[start + i] ?? 0) * (query[i] ?? 0);
    scores.push({ at, score });
  }
  return scores.sort((a, b) => b.score - a.score).slice(0, 200);
}

export function open(
  file: string,
  mode: OpenMode,
  vectorBackend: VectorBackend = "auto",
): Promise<SqliteStore> {
  return openSqliteStore({
    file,
    mode,
    vecLibrary: getLoadablePath(),
    vectorBackend,
    busyTimeoutMs: 10_000,
    now: () => new Date().toISOString(),
    tombstoneKey: () => new Uint8Array(32),
    model: { id: "synthetic", dimensions: DIMENSIONS },
  });
}
