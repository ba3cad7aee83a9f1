import { test } from "bun:test";
import { join } from "node:path";
import type { SessionFacts } from "../../src/domain.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { ReadStore } from "../../src/store/store.ts";
import { tempDir } from "./builders.ts";

export type OpenStore = (file: string) => Promise<SqliteStore>;
export type WithStore = (what: string, run: (store: SqliteStore) => Promise<void>) => void;

/** A memory to write to, and what it is read from. */
export interface Written {
  store: SqliteStore;
  /** The file itself, or the database of a team after a sync. */
  read(): Promise<ReadStore>;
  close(): Promise<void>;
}
export type OpenWritten = (file: string) => Promise<Written>;
export type WithWritten = (what: string, run: (written: Written) => Promise<void>) => void;

/** What is read from the file that is written to. */
export function inFile(open: OpenStore): OpenWritten {
  return async (file) => {
    const store = await open(file);
    return { store, read: async () => store, close: () => store.close() };
  };
}

/** Makes tests that each get a fresh store. */
export function withFreshStore(open: OpenStore): WithStore {
  const withWritten = withFreshMemory(inFile(open));
  return (what, run) => withWritten(what, ({ store }) => run(store));
}

/** Makes tests that each get a fresh memory. */
export function withFreshMemory(open: OpenWritten): WithWritten {
  return (what, run) =>
    test(what, async () => {
      using dir = tempDir();
      const written = await open(join(dir.path, "memory.db"));
      try {
        await run(written);
      } finally {
        await written.close();
      }
    });
}

export const TEXTS = [
  "[User] How do I boil water?\n\n[Assistant] Fill the kettle and press the switch.",
  "[User] Why does the timer drift?\n\n[Assistant] Each tick re-arms the interval.",
  "[User] Paint the fence green.\n\n[Assistant] Two coats of green paint went on the fence.",
];
export const text = (i: number) => TEXTS[i] ?? "";
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export function facts(sessionId: string, given: Partial<SessionFacts>): SessionFacts {
  return {
    sessionId,
    projectDir: null,
    title: null,
    titleSource: null,
    firstPrompt: null,
    automated: null,
    branch: null,
    startedAt: null,
    endedAt: null,
    ...given,
  };
}

export async function keywordTurns(store: ReadStore, word: string): Promise<number[]> {
  return (await store.search.keywordTurns([word], 10)).map((hit) => hit.turnId);
}
