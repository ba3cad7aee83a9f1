import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import type { Chunk, Turn } from "../../src/domain.ts";
import { NO_PLAN } from "../../src/store/sqlite/forget/plan.ts";
import { openSqliteStore, type SqliteOptions, type SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { SourceState, WriteBatch } from "../../src/store/stored.ts";
import { parseText } from "../../src/turn/grammar.ts";
import { emptyDatabases } from "../support/empty-database.ts";
import { SCRATCH } from "../support/scratch.ts";

export const MODEL = { id: "test-model", dimensions: 32 };
export const NOW = "2026-03-01T12:00:00.000Z";

/** A directory that is removed at the end of its scope. */
export function tempDir(): { path: string } & Disposable {
  const path = mkdtempSync(join(SCRATCH, "mementor-store-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Opens a store. A new one gets a copy of an empty database, unless an option says what is in it: its schema takes longer to
 * create than a small transcript to ingest.
 */
export async function openStore(file: string, options: Partial<SqliteOptions> = {}): Promise<SqliteStore> {
  const { mode = "create", busyTimeoutMs: _, ...others } = options;
  const isPlain = mode === "create" && Object.keys(others).length === 0;
  if (isPlain && file !== ":memory:" && !existsSync(file)) await putEmptyDatabase(file);
  return openNewStore(file, options);
}

/** The same without the copy: for tests of the creation. */
export function openNewStore(file: string, options: Partial<SqliteOptions> = {}): Promise<SqliteStore> {
  return openSqliteStore({
    file,
    mode: "create",
    vecLibrary: getLoadablePath(),
    vectorBackend: "auto",
    busyTimeoutMs: 2000,
    now: () => NOW,
    tombstoneKey: () => new Uint8Array(32),
    model: MODEL,
    ...options,
  });
}

const putEmptyDatabase = emptyDatabases(openNewStore);

export function source(state: Partial<SourceState> = {}): SourceState {
  return {
    path: "/transcripts/s1.jsonl",
    sessionId: "s1",
    agentId: null,
    byteOffset: 1000,
    lineIndex: 100,
    resumeOffset: 900,
    resumeLine: 90,
    fingerprint: "f1",
    size: 1000,
    mtimeMs: 1_700_000_000_000.5,
    skipped: { progress: 3 },
    sessions: [],
    leftOut: [],
    readerState: null,
    readerVersion: 0,
    ...state,
  };
}

export function turn(lineIndex: number, text: string, facts: Partial<Turn> = {}): Turn {
  return {
    sessionId: "s1",
    agentId: null,
    isSidechain: false,
    lineIndex,
    provisional: false,
    role: "turn",
    origin: "human",
    ...parseText(facts.text ?? text, facts.toolSummary),
    toolSummary: [],
    mentions: [],
    commits: [],
    createdAt: new Date(Date.UTC(2026, 0, 1) + lineIndex * 60_000).toISOString(),
    endedAt: null,
    branch: "main",
    cwd: "/home/ada/kettle",
    model: null,
    clientVersion: null,
    promptUuid: null,
    entryUuids: [],
    ...facts,
  };
}

/** One chunk a paragraph. */
export function chunksOf(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (const content of text.split("\n\n")) {
    chunks.push({ chunkIndex: chunks.length, content, start, end: start + content.length });
    start += content.length + 2;
  }
  return chunks;
}

export function batch(turns: Turn[], parts: Partial<WriteBatch> = {}): WriteBatch {
  return {
    source: source(),
    rewritten: false,
    sessions: [],
    subagents: [],
    turns: turns.map((turn) => ({ turn, chunks: chunksOf(turn.text) })),
    copies: [],
    prLinks: [],
    compactions: [],
    ...parts,
  };
}

/** A unit vector that is the same for the same text, and near for texts with words in common. */
export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(MODEL.dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let state = Number(Bun.hash(word) % 2147483647n) || 1;
    for (let i = 0; i < vector.length; i++) {
      state = (state * 48271) % 2147483647;
      vector[i] = (vector[i] ?? 0) + state / 2147483647 - 0.5;
    }
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

/** Embeds all that waits, chunks and resources, with `vectorOf`. */
export async function embedAll(store: SqliteStore): Promise<void> {
  for (let chunks = await store.ingest.pendingChunks(100); chunks.length > 0; ) {
    await store.ingest.saveVectors(
      chunks.map(({ chunkId, content }) => ({ chunkId, vector: vectorOf(content) })),
    );
    chunks = await store.ingest.pendingChunks(100);
  }
  const resources = await store.ingest.pendingResources(1000);
  await store.ingest.saveResources(resources.map((resource) => ({ resource, vector: vectorOf(resource) })));
  await store.ingest.refreshAccessPatterns();
}

/** Forgets these turns alone, without those that belong to them. */
export function forgetTurns(store: SqliteStore, turnIds: readonly number[]): Promise<number> {
  return store.forget.forget({ ...NO_PLAN, turnIds });
}
