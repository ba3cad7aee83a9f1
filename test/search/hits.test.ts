import { expect, test } from "bun:test";
import { hitsOf } from "../../src/search/hits.ts";
import { aQuery, aScored, aStore, aTurn } from "./made.ts";

const text = `[User] ${"Nothing here. ".repeat(10)}The parser is slow. ${"Nothing there. ".repeat(10)}`;
const parts = aQuery({ terms: [{ term: "parser", turnIds: [1], weight: 1, rarity: 1, share: 0.01 }] });

test("a hit has the passage of the chunk with the best keywords, else of the nearest", async () => {
  const asked: (readonly number[])[] = [];
  const at = (piece: string) => ({ start: text.indexOf(piece), end: text.indexOf(piece) + piece.length });
  const store = aStore({
    chunks: async (ids) => {
      asked.push(ids);
      return [
        { chunkId: 1, turnId: 1, chunkIndex: 0, content: "", ...at("Nothing there. ") },
        { chunkId: 2, turnId: 1, chunkIndex: 1, content: "", ...at("The parser is slow. ") },
      ];
    },
  });
  const turn = aTurn({ turnId: 1, text });
  const ranked = [
    aScored(turn, { nearestChunk: 1, keywordChunk: 2, distance: 0.1 }),
    aScored(turn, { nearestChunk: 1, distance: 0.2 }),
    aScored(turn, { distance: null }),
  ];
  const hits = await hitsOf(ranked, parts, store, 25);
  expect(hits.map(({ passage }) => passage)).toEqual([
    "The parser is slow.",
    "Nothing there.",
    "The parser is slow.",
  ]);
  expect(hits.map(({ distance }) => distance)).toEqual([0.1, 0.2, null]);
  expect(asked).toEqual([[2, 1]]);
});

test("a turn that was found by its place alone reports a fixed distance", async () => {
  const distances = await hitsOf(
    [["file"], ["access"], ["file", "access"], ["vector"]].map((sources) =>
      aScored(aTurn({ turnId: 1 }), { sources: new Set(sources as never[]), distance: 0.1 }),
    ),
    parts,
    aStore(),
    100,
  );
  expect(distances.map(({ distance, sources }) => [distance, sources.length])).toEqual([
    [0.4, 1],
    [0.38, 1],
    [0.1, 2],
    [0.1, 1],
  ]);
});
