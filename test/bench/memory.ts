import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { discoverTranscripts } from "../../src/agents/claude-code/agent.ts";
import { ingestInto } from "../../src/cli/ingest.ts";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { EmbedPurpose } from "../../src/embed/native/embedder.ts";
import { createHost, type Host } from "../../src/host.ts";
import { Runtime } from "../../src/runtime.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { type ForeignPart, markedCopy, NOTHING_FOREIGN, partSessions } from "./foreign.ts";

/** A corpus in the real database, with the real embedder; what was embedded once is never embedded again. */
export interface BenchMemory {
  file: string;
  store: SqliteStore;
  embedder: Embedder;
  /** The same for what is asked: a model may mark queries and documents. */
  prompts: Pick<Embedder, "embed">;
  close(): Promise<void>;
}

/** The id of an imported model to measure where none is named, instead of the built-in one. */
const BENCH_MODEL: string | undefined = process.env.MEMENTOR_EMBEDDING_MODEL;

const ROOT = resolve(import.meta.dir, "../..");
const CACHE = join(ROOT, ".cache/bench");
/** Folders whose code decides what a database holds. */
const INGEST_CODE = ["src/{agents,chunk,embed,ingest,redact,store,text,transcript,turn}/**/*.{ts,sql}"];
/** What decides the vector of a text. */
const EMBEDDING_CODE = ["bun.lock", "src/embed/**/*.ts", "src/assets/**/*"];

/**
 * Opens the cached database of a corpus, ingesting it first when there is none for this corpus and this code.
 *
 * @param sessions how many of its sessions, the earliest first; all of them when left out.
 * @param foreign which of them are a colleague's.
 * @param model the id of an imported model; the built-in one when left out.
 */
export async function openBenchMemory(
  corpusDir: string,
  sessions?: number,
  foreign: ForeignPart = NOTHING_FOREIGN,
  model = BENCH_MODEL,
): Promise<BenchMemory & { sessionIds: ReadonlySet<string> }> {
  const all = sessionFiles((await Array.fromAsync(discoverTranscripts(resolve(corpusDir)))).sort());
  const { file, told, remove } = await memoryOf(all.slice(0, sessions), foreign, model);
  const memory = await openMemory(file, benchRuntime(file, model), model);
  const close = () => memory.close().finally(remove);
  return { ...memory, sessionIds: new Set(told.map(({ sessionId }) => sessionId)), close };
}

/**
 * Returns the database of some sessions, of which a part is a colleague's, and the sessions that may be told. `remove`
 * removes what is not kept for the next run.
 */
export async function memoryOf(
  sessions: readonly SessionFiles[],
  part: ForeignPart,
  model = BENCH_MODEL,
): Promise<{ file: string; told: readonly SessionFiles[]; remove: () => void }> {
  const { own, foreign } = partSessions(sessions, part);
  const pathsOf = (of: readonly SessionFiles[]) => of.flatMap(({ paths }) => paths).sort();
  if (part.trust === "alone")
    return { file: await cachedMemory(pathsOf(own), model), told: own, remove: () => {} };
  const file = await cachedMemory(pathsOf(sessions), model);
  if (foreign.length === 0) return { file, told: sessions, remove: () => {} };
  return { ...markedCopy(file, pathsOf(foreign)), told: part.trust === "all" ? sessions : own };
}

/** Returns the database of some transcripts, ingesting them first when there is none for them and this code. */
export async function cachedMemory(paths: readonly string[], model = BENCH_MODEL): Promise<string> {
  const directory = join(CACHE, [await cacheKey(paths), ...(model === undefined ? [] : [model])].join("-"));
  const file = join(directory, "mementor.db");
  if (!existsSync(file)) await ingest(paths, directory, file, model);
  return file;
}

/** Opens the embedder that all memories of a bench share. */
export function openBenchEmbedder(purpose: EmbedPurpose = "query"): Promise<Embedder> {
  return benchRuntime(join(CACHE, "none.db")).openEmbedder(purpose);
}

/** Opens a cached database. The caller closes it. */
export function openBenchStore(file: string): Promise<SqliteStore> {
  return benchRuntime(file).openStore("readwrite");
}

/**
 * Ingests transcripts into a new database. Vectors come from a file of the cache where the same code with the same
 * model made them before; a change of either embeds everything anew.
 */
export async function freshMemory(corpusDir: string, directory: string): Promise<BenchMemory> {
  const paths = await Array.fromAsync(discoverTranscripts(resolve(corpusDir)));
  const file = join(directory, "mementor.db");
  const vectors = join(CACHE, `vectors-${await hashOf(EMBEDDING_CODE)}.db`);
  const runtime = new BenchRuntime(benchHost(), { databaseFile: file }, vectors);
  const store = await runtime.openStore("create");
  await ingestInto(store, runtime, { paths, alsoFrom: "any", waits: true });
  await store.close();
  return openMemory(file, runtime);
}

async function openMemory(file: string, runtime: BenchRuntime, model?: string): Promise<BenchMemory> {
  const embedder = await runtime.openEmbedder("ingest", model);
  const prompts = model === undefined ? embedder : await runtime.openPlainEmbedder("prompt", model);
  const store = await runtime.openStore("readwrite");
  return {
    file,
    store,
    embedder,
    prompts,
    close: async () => {
      await Promise.all([
        store.close(),
        embedder.close(),
        ...(prompts === embedder ? [] : [prompts.close()]),
      ]);
    },
  };
}

/** A session of a corpus: its id, its transcripts with those of its subagents. */
export interface SessionFiles {
  sessionId: string;
  paths: string[];
}

/** Groups transcripts by session, the earliest session first. */
export function sessionFiles(paths: readonly string[]): SessionFiles[] {
  const bySession = Map.groupBy(paths, (path) => /([\da-f-]{36})(?:\.jsonl$|\/)/.exec(path)?.[1] ?? path);
  return [...bySession]
    .map(([sessionId, paths]) => ({ sessionId, paths, start: paths.map(startOf).sort()[0] ?? "" }))
    .sort((a, b) => (a.start < b.start ? -1 : 1))
    .map(({ sessionId, paths }) => ({ sessionId, paths }));
}

function startOf(path: string): string {
  return /"timestamp":"([^"]+)"/.exec(readFileSync(path, "utf8"))?.[1] ?? "9999";
}

async function ingest(
  paths: readonly string[],
  directory: string,
  file: string,
  model = BENCH_MODEL,
): Promise<void> {
  const building = `${directory}.building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const runtime = benchRuntime(join(building, "mementor.db"), model);
  const store = await runtime.openStore("create");
  const onProgress = progress();
  const report = await ingestInto(store, runtime, {
    paths,
    alsoFrom: "any",
    waits: true,
    hooks: { onProgress },
  });
  console.error(
    `ingested ${report.sessions} sessions, ${report.turns.inserted} turns, ${report.chunks.written} chunks`,
  );
  await store.close();
  renameSync(building, directory);
  if (!existsSync(file)) throw new Error(`no database was made in ${directory}`);
}

function progress(): (progress: { stage: string; done: number }) => void {
  let chunks = 0;
  let told = 0;
  return ({ stage, done }) => {
    if (stage !== "embed") return;
    chunks += done;
    if (chunks - told < 1024) return;
    told = chunks;
    console.error(`${chunks} chunks embedded`);
  };
}

/** The corpus by path, size and time; the code by its text. */
async function cacheKey(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`${path}\0${statSync(path).size}\0${statSync(path).mtimeMs}\0`);
  hash.update(await ingestCode());
  return hash.digest("hex").slice(0, 16);
}

let ingestCodeHash: Promise<string> | null = null;

function ingestCode(): Promise<string> {
  ingestCodeHash ??= hashOf(INGEST_CODE);
  return ingestCodeHash;
}

/** A hash of the files that some patterns match in the project. */
async function hashOf(patterns: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const pattern of patterns) {
    const files = await Array.fromAsync(new Bun.Glob(pattern).scan(ROOT));
    if (files.length === 0) throw new Error(`${pattern} matches no file`);
    for (const file of files.sort()) hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

function benchRuntime(databaseFile: string, model = BENCH_MODEL): BenchRuntime {
  return new BenchRuntime(benchHost(model), { databaseFile });
}

function benchHost(model: string = BUILT_IN_MODEL.id): Host {
  const env = {
    ...process.env,
    CLAUDE_CONFIG_DIR: join(CACHE, "none"),
    MEMENTOR_EMBEDDING_MODEL: model,
  };
  return { ...createHost(process), env };
}

class BenchRuntime extends Runtime {
  readonly #vectors: string;

  constructor(host: Host, options: { databaseFile: string }, vectors = join(CACHE, "vectors.db")) {
    super(host, options);
    this.#vectors = vectors;
  }

  override async openEmbedder(purpose: EmbedPurpose, modelId = BENCH_MODEL): Promise<Embedder> {
    const embedder = await super.openEmbedder(purpose, modelId);
    // Only the user's models put other words before a query than before a stored text.
    const asked = modelId !== undefined && purpose !== "ingest" ? "query" : "";
    return rememberingEmbedder(embedder, this.#vectors, asked);
  }

  /** An embedder whose vectors are not kept: of the same text, those of a query are not those of a document. */
  openPlainEmbedder(purpose: EmbedPurpose, modelId: string): Promise<Embedder> {
    return super.openEmbedder(purpose, modelId);
  }
}

/** An embedder that keeps every vector it ever made in a file. */
export function rememberingEmbedder(embedder: Embedder, file: string, asked = ""): Embedder {
  mkdirSync(CACHE, { recursive: true });
  const db = new Database(file);
  db.run("PRAGMA busy_timeout = 60000");
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID");
  const keyOf = (text: string) =>
    createHash("sha256").update(`${embedder.model.id}${asked}\0${text}`).digest();
  const known = db.query<{ vector: Uint8Array }, [Uint8Array]>("SELECT vector FROM vectors WHERE key = ?");
  const insert = db.query("INSERT OR REPLACE INTO vectors VALUES (?, ?)");
  const find = (text: string) => {
    const row = known.get(keyOf(text));
    return row && new Float32Array(row.vector.slice().buffer);
  };
  const keep = (text: string, vector: Float32Array) => {
    insert.run(keyOf(text), new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    return vector;
  };
  const close = async () => {
    db.close();
    await embedder.close();
  };
  return {
    model: embedder.model,
    runtime: embedder.runtime,
    tokenizer: embedder.tokenizer,
    embed: async (text) => find(text) ?? keep(text, await embedder.embed(text)),
    async *embedMany(texts) {
      const missing: number[] = [];
      for (const [index, text] of texts.entries()) {
        const vector = find(text);
        if (vector) yield { index, vector };
        else missing.push(index);
      }
      if (missing.length === 0) return;
      for await (const { index, vector } of embedder.embedMany(missing.map((i) => texts[i] ?? ""))) {
        const original = missing[index] ?? 0;
        yield { index: original, vector: keep(texts[original] ?? "", vector) };
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
