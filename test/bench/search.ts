import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { search } from "../../src/search/search.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite.ts";
import { keywordText } from "../../src/text/keywords.ts";
import { median, type Row, scratchDir } from "./measure.ts";
import { randomText, randomVector, Synthetic } from "./synthetic.ts";

const SIZES = [1_000, 10_000, 100_000];
const QUERIES = 25;
const DIMENSIONS = 384;

/** Measures finding in memories of a thousand to a hundred thousand made-up chunks, each beside the plainest way to do it. */
export async function measureSearch(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunks of SIZES) rows.push(...(await measureSize(chunks)));
  return rows;
}

async function measureSize(chunks: number): Promise<Row[]> {
  using scratch = scratchDir();
  const file = join(scratch.path, "memory.db");
  const store = await open(file);
  const vectors = await new Synthetic(DIMENSIONS).fill(store, chunks);
  const db = new Database(file, { readonly: true });
  const text = Array.from({ length: QUERIES }, (_, i) => randomText(1_000_003 + i, 8));
  const meaning = text.map((_, i) => randomVector(2_000_003 + i, DIMENSIONS));
  const plain = db.query(
    "SELECT rowid FROM chunk_keywords WHERE chunk_keywords MATCH ? ORDER BY bm25(chunk_keywords) LIMIT 200",
  );

  const scan = await timed((i) => scanAll(vectors, meaning[i] ?? new Float32Array(DIMENSIONS)));
  const match = await timed((i) =>
    plain.all(
      keywordText(text[i] ?? "")
        .split(" ")
        .map((word) => `"${word}"`)
        .join(" OR "),
    ),
  );
  const nearest = await timed((i) =>
    store.search.nearestChunks(meaning[i] ?? new Float32Array(DIMENSIONS), 200),
  );
  const keyword = await timed((i) => store.search.keywordChunks(text[i]?.split(" ") ?? [], 200));
  const hybrid = await timed((i) =>
    search(
      { query: text[i] ?? "", limit: 8 },
      { store: store.search, embed: async () => meaning[i] ?? null },
    ),
  );
  db.close();
  await store.close();
  const size = `${chunks.toLocaleString("en")} chunks`;
  return [
    { what: `${size}, nearest 200`, ms: nearest, baseline: "all dot products", baselineMs: scan },
    { what: `${size}, keywords 200`, ms: keyword, baseline: "one plain FTS5 query", baselineMs: match },
    { what: `${size}, whole search`, ms: hybrid, baseline: "both of these", baselineMs: scan + match },
  ];
}

async function timed(work: (index: number) => unknown): Promise<number> {
  await work(0);
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const startedAt = performance.now();
    await work(i);
    times.push(performance.now() - startedAt);
  }
  return median(times);
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

function open(file: string): Promise<SqliteStore> {
  return openSqliteStore({
    file,
    mode: "create",
    vecLibrary: getLoadablePath(),
    vectorBackend: "auto",
    busyTimeoutMs: 10_000,
    now: () => new Date().toISOString(),
    model: { id: "synthetic", dimensions: DIMENSIONS },
  });
}
