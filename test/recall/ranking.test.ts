import { expect, test } from "bun:test";
import { rankCandidates } from "../../src/recall/ranking.ts";
import { aCandidate, aQuery, aStore } from "./made.ts";

const VECTOR = Float32Array.of(1);
const found = (...candidates: ReturnType<typeof aCandidate>[]) =>
  new Map(candidates.map((one) => [one.turnId, one]));

test("the spread of distances is their median and the mean square difference to it", async () => {
  const distances = [0.5, 0.1, 10, 0.3, 0.2];
  const store = aStore({ sampleDistances: async () => distances });
  const { spread } = await rankCandidates(found(), aQuery(), VECTOR, store);
  expect(spread?.median).toBe(0.3);
  const square = (0.2 ** 2 + 0.2 ** 2 + 9.7 ** 2 + 0.1 ** 2) / 5;
  expect(spread?.deviation).toBeCloseTo(Math.sqrt(square), 9);
  expect((await rankCandidates(found(), aQuery(), null, store)).spread).toBeNull();
  expect((await rankCandidates(found(), aQuery(), VECTOR, aStore())).spread).toBeNull();
});

test("a turn that only its distance speaks for is far beyond the limit", async () => {
  const vector = (turnId: number, distance: number | null) => aCandidate({ turnId, distance });
  const both = aCandidate({ turnId: 4, distance: 0.9, sources: new Set(["vector", "keyword"]) });
  const words = aCandidate({ turnId: 5, distance: 0.9, sources: new Set(["keyword"]) });
  const candidates = found(vector(1, 0.45), vector(2, 0.451), vector(3, null), both, words);
  const { near, far } = await rankCandidates(candidates, aQuery(), VECTOR, aStore());
  const ids = (some: typeof near) => some.map(({ turn }) => turn.turnId).sort();
  expect([ids(near), ids(far)]).toEqual([
    [1, 4, 5],
    [2, 3],
  ]);
});

test("a passage is the text of the chunks by which a turn was found", async () => {
  const asked: (readonly number[])[] = [];
  const store = aStore({
    chunks: async (ids) => {
      asked.push(ids);
      return [10, 11, 20].map((chunkId) => ({
        ...{ chunkId, turnId: Math.floor(chunkId / 10), chunkIndex: 0, start: 0, end: 1 },
        content: `chunk ${chunkId}`,
      }));
    },
  });
  const candidates = found(
    aCandidate({ turnId: 1, distance: 0.1, nearestChunk: 10, keywordChunk: 11 }),
    aCandidate({ turnId: 2, distance: 0.2, nearestChunk: 20, keywordChunk: 20 }),
    aCandidate({ turnId: 3, distance: 0.3 }),
  );
  const { near } = await rankCandidates(candidates, aQuery(), VECTOR, store);
  expect(near.map(({ passage }) => passage)).toEqual(["chunk 10\nchunk 11", "chunk 20", ""]);
  expect(asked).toEqual([[10, 11, 20]]);
});
