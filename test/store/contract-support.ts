import { test } from "bun:test";
import { join } from "node:path";
import type { SessionFacts } from "../../src/domain.ts";
import type { Store } from "../../src/store/store.ts";
import { tempDir } from "./builders.ts";

export type OpenStore = (file: string) => Promise<Store>;
export type WithStore = (what: string, run: (store: Store) => Promise<void>) => void;

/** Makes tests that each get a fresh store. */
export function withFreshStore(open: OpenStore): WithStore {
  return (what, run) =>
    test(what, async () => {
      using dir = tempDir();
      const store = await open(join(dir.path, "memory.db"));
      try {
        await run(store);
      } finally {
        await store.close();
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

export async function keywordTurns(store: Store, word: string): Promise<number[]> {
  return (await store.search.keywordTurns([word], 10)).map((hit) => hit.turnId);
}
