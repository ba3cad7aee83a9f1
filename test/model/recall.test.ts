import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rankForPrompt } from "../../src/recall/ranking.ts";
import { renderRecall } from "../../src/recall/telling/recall.ts";
import { isOf, toldOf } from "../bench/ask-hook.ts";
import { isForeseen, pipeline } from "../bench/foreseen.ts";
import { hitAt, meanReciprocalRank, share } from "../bench/measures.ts";
import { type BenchMemory, freshMemory } from "../bench/memory.ts";
import { type LabelledQuery, readQueries } from "../bench/prompts.ts";
import { rankQueries } from "../bench/ranking.ts";
import { allTurns, replay } from "../bench/replay.ts";
import { SCRATCH } from "../support/scratch.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
/** A safety net only. A file that ends while the model still works would end the process, and other files with it. */
const MINUTE = 60_000;

const queriesOf = (name: string) => readQueries(join(FIXTURES, "recall", `${name}.jsonl`));

/** The sample with the real model: what recall must not fall below, a little under what it reaches. */
describe("recall on the sample", () => {
  let directory: string;
  let memory: BenchMemory;

  beforeAll(async () => {
    directory = mkdtempSync(join(SCRATCH, "mementor-floor-"));
    memory = await freshMemory(join(FIXTURES, "transcripts/sample"), directory);
  }, 10 * MINUTE);

  afterAll(async () => {
    await memory?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** What the prompt hook does with each prompt, in a fresh session. */
  async function askAll(prompts: readonly LabelledQuery[]) {
    const { store, embedder } = memory;
    const answers: { answered: boolean; holdsRight: boolean }[] = [];
    for (const { query, sessions } of prompts) {
      const told = await toldOf(query, {
        store: store.search,
        browse: store.browse,
        recall: store.recall,
        journal: { turnsToldIn: async () => new Set() },
        openEmbed: async () => (text) => embedder.embed(text),
        timeLeftMs: () => Number.POSITIVE_INFINITY,
      });
      answers.push({
        answered: renderRecall(told) !== null,
        holdsRight: told.some((matter) => isOf(matter, sessions)),
      });
    }
    return answers;
  }

  test(
    "finds the right session, no worse than vectors alone",
    async () => {
      const rows = await rankQueries(memory, queriesOf("queries"));
      const ranks = rows.map(({ pipeline }) => pipeline);
      const byVectors = rows.map(({ vectors }) => vectors);
      expect(hitAt(ranks, 1)).toBeGreaterThanOrEqual(0.9);
      expect(hitAt(ranks, 5)).toBeGreaterThanOrEqual(0.98);
      expect(meanReciprocalRank(ranks)).toBeGreaterThanOrEqual(0.94);
      expect(meanReciprocalRank(ranks)).toBeGreaterThanOrEqual(meanReciprocalRank(byVectors));
    },
    10 * MINUTE,
  );

  test(
    "answers prompts that the memory knows about",
    async () => {
      const records = await askAll(queriesOf("queries"));
      expect(share(records, ({ answered }) => answered)).toBeGreaterThanOrEqual(0.73);
      const useful = share(records, ({ answered, holdsRight }) => answered && holdsRight);
      expect(useful).toBeGreaterThanOrEqual(0.7);
    },
    10 * MINUTE,
  );

  test(
    "keeps silent on prompts about other things",
    async () => {
      const prompts = ["unrelated", "everyday"].flatMap(queriesOf);
      const records = await askAll(prompts);
      expect(share(records, ({ answered }) => answered)).toBeLessThanOrEqual(0.06);
    },
    10 * MINUTE,
  );

  test("keeps silent on trivial prompts", async () => {
    const records = await askAll(queriesOf("trivial"));
    expect(records.filter(({ answered }) => answered)).toEqual([]);
  });

  test(
    "foresees the files that a prompt is about among the first turns",
    async () => {
      const asked = queriesOf("queries").filter(({ paths }) => paths.length > 0);
      const touched = await touchedBy();
      const found: boolean[] = [];
      for (const { query, paths } of asked) {
        const ids = await firstTurns(query);
        found.push(paths.some((path) => ids.some((id) => touched.get(id)?.has(path))));
      }
      expect(asked.length).toBeGreaterThan(20);
      expect(share(found, (one) => one)).toBeGreaterThanOrEqual(0.8);
      const prompts = await replay(memory);
      expect(prompts).not.toEqual([]);
      for (const prompt of prompts) expect(isForeseen(await pipeline(memory, prompt), prompt)).toBe(true);
    },
    10 * MINUTE,
  );

  async function firstTurns(query: string): Promise<number[]> {
    const { turns } = await memory.store.search.totals();
    const { near } = await rankForPrompt(query, "floor", turns, {
      store: memory.store.search,
      openEmbed: async () => (text) => memory.embedder.embed(text),
      timeLeftMs: () => Number.POSITIVE_INFINITY,
    });
    return near.slice(0, 3).map(({ turn }) => turn.turnId);
  }

  async function touchedBy(): Promise<Map<number, Set<string>>> {
    const all = await allTurns(memory.file, memory.store.search);
    return new Map(all.map(({ turn, touched }) => [turn.turnId, touched]));
  }
});
