import { expect, test } from "bun:test";
import type { Candidate } from "../../src/recall/candidates.ts";
import { gatherEvidence } from "../../src/recall/evidence.ts";
import { aCandidate, aQuery, aTurn } from "./made.ts";

const SPREAD = { median: 0.4, deviation: 0.05 };
const term = (name: string, weight: number) => ({ term: name, turnIds: [1], weight, rarity: 1, share: 0.01 });

const known = (one: Partial<Candidate>, text: string, passage = "", createdAt: string | null = null) => {
  const turnId = one.turnId ?? 1;
  return { candidate: aCandidate({ turnId, ...one }), turn: aTurn({ turnId, text, createdAt }), passage };
};
const rounded = (value: object) =>
  JSON.parse(JSON.stringify(value), (_, n) => (typeof n === "number" ? Math.round(n * 1e6) / 1e6 : n));

test("holds everything that speaks for a candidate, as shares of the best one's", () => {
  const query = aQuery({
    terms: [term("parser", 3), term("quota", 1)],
    phrases: ["parser quota", "slow parser"],
    fileHints: ["a.ts", "b.ts"],
    literals: { numbers: ["1319", "7"], identifiers: ["lint:fix"] },
  });
  const first = known(
    {
      turnId: 1,
      distance: 0.2,
      secondDistance: 0.3,
      chunkKeywords: 4,
      turnKeywords: 2,
      files: 1,
      references: 3,
      accessRank: 1,
      shared: 1,
    },
    "[User] The parser quota is low\n\n[Assistant] Done",
    "the quota of 1319, by lint:fix",
    "2026-03-01T00:00:00.000Z",
  );
  const second = known(
    { turnId: 2, distance: 0.3, chunkKeywords: 8, turnKeywords: 8, files: 2, accessRank: 0, shared: 3 },
    `[User] Other\n\n[Assistant] ${"x".repeat(974)}`,
    "the parser",
    "2026-03-02T00:00:00.000Z",
  );
  const third = known({ turnId: 3 }, "[User] None", "", null);
  expect(rounded(gatherEvidence([first, second, third], query, SPREAD))).toEqual(
    rounded([
      {
        chunkKeywords: 0.4 * (4 / 8),
        turnKeywords: 0.4 * (2 / 8),
        promptWords: 0.4,
        promptPhrases: 1 / 4,
        passageWords: 1 / 4,
        numbers: 1 / 3,
        identifiers: 1 / 2,
        length: Math.log(1 + 0.048),
        distance: 1,
        secondDistance: 0.5,
        file: 1 / 2,
        reference: 1,
        access: 1 / 2,
        shared: Math.log(2) / Math.log(4),
        recency: 0,
      },
      {
        chunkKeywords: 0.4,
        turnKeywords: 0.4,
        promptWords: 0,
        promptPhrases: 0,
        passageWords: 3 / 4,
        numbers: 0,
        identifiers: 0,
        length: Math.log(2),
        distance: 0.5,
        secondDistance: 0.35,
        file: 1,
        reference: 0,
        access: 1,
        shared: 1,
        recency: 1,
      },
      {
        ...{ chunkKeywords: 0, turnKeywords: 0, promptWords: 0, promptPhrases: 0, passageWords: 0 },
        ...{ numbers: 0, identifiers: 0, length: Math.log(1.011), distance: 0, secondDistance: 0 },
        ...{ file: 0, reference: 0, access: 0, shared: 0, recency: 0 },
      },
    ]),
  );
});

test("one day among three is in the middle; a single one is the newest", () => {
  const days = ["2026-03-03", "2026-03-01", "2026-03-02"].map((day, i) =>
    known({ turnId: i + 1 }, "[User] a", "", day),
  );
  const recency = (some: typeof days) => gatherEvidence(some, aQuery(), null).map((one) => one.recency);
  expect(recency(days)).toEqual([1, 0, 0.5]);
  expect(recency(days.slice(0, 1))).toEqual([1]);
});

test("nearness without a spread is measured against the farthest candidate", () => {
  const near = (distances: (number | null)[], spread: typeof SPREAD | null) =>
    gatherEvidence(
      distances.map((distance, i) => known({ turnId: i + 1, distance }, "[User] a")),
      aQuery(),
      spread,
    ).map(({ distance }) => Math.round(distance * 1e6) / 1e6);
  expect(near([0.1, 0.3, 0.2], null)).toEqual([1, 0, 0.5]);
  expect(near([0.1, 0.6, null], SPREAD)).toEqual([1, 0, 0]);
  expect(near([0.5, 0.6, null], SPREAD)).toEqual([1, 0, 0]);
  expect(near([0.4, 0.4, null], SPREAD)).toEqual([1, 1, 0]);
});
