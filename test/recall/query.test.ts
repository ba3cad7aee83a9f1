import { expect, test } from "bun:test";
import { MAX_QUERY_TERMS } from "../../src/constants.ts";
import { queryParts, RARE_SHARE, RARE_TURNS } from "../../src/recall/query.ts";

/** A store in which each word is in so many turns; a word that is not named is too common. */
function storeOf(frequencies: Record<string, number>) {
  const asked: { words: readonly string[]; most: number }[] = [];
  const termTurns = async (words: readonly string[], most: number) => {
    asked.push({ words, most });
    return new Map(
      Object.entries(frequencies).map(([word, count]) => [word, Array.from({ length: count }, (_, i) => i)]),
    );
  };
  return { asked, store: { termTurns } };
}

const nats = (turns: number, frequency: number) =>
  Math.log(1 + (turns - frequency + 0.5) / (frequency + 0.5));

test("a word weighs the more the fewer turns hold it; a common one as if half of them did", async () => {
  const turns = 100 * Math.ceil(RARE_TURNS / RARE_SHARE);
  const { asked, store } = storeOf({ parser: 1, quota: 20, nowhere: 0 });
  const { terms } = await queryParts("parser quota nowhere frequent", store, turns);
  expect(asked.map(({ most }) => most)).toEqual([Math.floor(turns * RARE_SHARE)]);
  expect(terms.map(({ term, turnIds, weight }) => [term, turnIds?.length ?? null, weight])).toEqual([
    ["parser", 1, nats(turns, 1)],
    ["quota", 20, nats(turns, 20)],
    ["nowhere", 0, nats(turns, 0)],
    ["frequent", null, nats(turns, Math.max(turns * RARE_SHARE, turns / 2))],
  ]);
});

test("in a small memory every word is looked up, and one in all turns weighs next to nothing", async () => {
  const { asked, store } = storeOf({ parser: 3 });
  const { terms } = await queryParts("parser frequent", store, 3);
  expect(asked.map(({ most }) => most)).toEqual([RARE_TURNS]);
  expect(terms.map(({ weight }) => weight)).toEqual([nats(3, 3), Math.max(0, nats(3, RARE_TURNS) || 0)]);
});

test("of a long query the rarest words are kept, in their order", async () => {
  const letters = "bcdfghjklmnpqrstvwxz";
  const words = Array.from(
    { length: MAX_QUERY_TERMS + 2 },
    (_, i) => `w${letters[i % 20]}o${letters[Math.floor(i / 20)]}k`,
  );
  const frequencies = Object.fromEntries(words.map((word, i) => [word, i === 1 || i === 3 ? 40 : 2]));
  const { terms } = await queryParts(words.join(" "), storeOf(frequencies).store, 10_000);
  expect(terms.map(({ term }) => term)).toEqual(words.filter((_, i) => i !== 1 && i !== 3));
  const fewer = words.slice(0, MAX_QUERY_TERMS);
  const { terms: all } = await queryParts(fewer.join(" "), storeOf(frequencies).store, 10_000);
  expect(all.map(({ term }) => term)).toEqual(fewer);
});
