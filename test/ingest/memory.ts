import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Excludes } from "../../src/ingest/exclude.ts";
import type { IngestReport } from "../../src/ingest/report.ts";
import { type IngestDeps, runIngest } from "../../src/ingest/run.ts";
import { cleanText } from "../../src/redact/clean.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { emptyDatabases } from "../support/empty-database.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";
import { SCRATCH } from "../support/scratch.ts";

const MODEL = { id: "hash-test", dimensions: 8, maxTokens: 512 };
const NOW = "2026-03-01T12:00:00.000Z";

/** A database in a directory of its own, and ingests into it with a cheap embedder that counts what it is asked. */
export class TestMemory implements AsyncDisposable {
  readonly directory: string;
  readonly file: string;
  readonly store: SqliteStore;
  /** Every text that was embedded, in order. */
  readonly embedded: string[] = [];

  private constructor(directory: string, file: string, store: SqliteStore) {
    this.directory = directory;
    this.file = file;
    this.store = store;
  }

  static async create(): Promise<TestMemory> {
    const directory = mkdtempSync(join(SCRATCH, "mementor-ingest-"));
    const file = join(directory, "mementor.db");
    await putEmptyDatabase(file);
    return new TestMemory(directory, file, await open(file));
  }

  /** Reads transcripts one after the other; the paths of one file name stand for one place. */
  ingest(
    paths: readonly string[],
    more: Partial<IngestDeps> & { textOnly?: boolean } = {},
  ): Promise<IngestReport> {
    const { textOnly = false, ...deps } = more;
    return runIngest(paths, { ...this.deps(), ...deps }, { textOnly });
  }

  deps(excludes: Excludes = { paths: [], projects: [] }): IngestDeps {
    return {
      store: this.store.ingest,
      models: this.store.models,
      lock: async () => ({ [Symbol.dispose]() {} }),
      openTokenizer: async () => createHashEmbedder(MODEL).tokenizer,
      openEmbedder: async () => this.#embedder(),
      rootsOf: (cwd) => [cwd],
      redact: cleanText,
      excludes,
      elapsedMs: () => 0,
    };
  }

  #embedder(): Embedder {
    const embedder = createHashEmbedder(MODEL);
    return {
      ...embedder,
      embedMany: (texts) => {
        this.embedded.push(...texts);
        return embedder.embedMany(texts);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function open(file: string): Promise<SqliteStore> {
  return openSqliteStore({
    file,
    mode: "create",
    vecLibrary: getLoadablePath(),
    vectorBackend: "auto",
    busyTimeoutMs: 2000,
    now: () => NOW,
    tombstoneKey: () => new Uint8Array(32),
    model: MODEL,
  });
}

const putEmptyDatabase = emptyDatabases(open);
