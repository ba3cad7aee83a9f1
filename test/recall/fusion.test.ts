import { describe, expect, test } from "bun:test";
import type { Candidate } from "../../src/recall/candidates.ts";
import { rankByEvidence } from "../../src/recall/fusion.ts";
import { FUSION_WEIGHTS } from "../../src/recall/weights.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { aCandidate, aQuery, aTurn } from "./made.ts";

const words = Array.from({ length: 6 }, (_, i) => ({
  term: `w${i}`,
  turnIds: null,
  weight: 1,
  rarity: 1,
  share: 0.01,
}));

function order(
  candidates: Candidate[],
  turns: StoredTurn[] = [],
  query = aQuery({ terms: words }),
  passages: [number, string][] = [],
): number[] {
  const known = new Map(candidates.map(({ turnId }) => [turnId, aTurn({ turnId, createdAt: null })]));
  for (const turn of turns) known.set(turn.turnId, turn);
  const chunks = passages.map(([turnId, content]) => [turnId, [{ content, start: 0 }]] as const);
  const loaded = { turns: known, chunks: new Map(chunks) };
  return rankByEvidence(candidates, loaded, query, { median: 0.4, deviation: 0.05 }).map(
    ({ turn }) => turn.turnId,
  );
}

describe("fuse", () => {
  test("ranks by distance when there is nothing else", () => {
    const found = [0.3, 0.2, 0.39].map((distance, i) => aCandidate({ turnId: i + 1, distance }));
    expect(order(found)).toEqual([2, 1, 3]);
  });

  test("lets keywords overrule a small difference in distance, and few words less than many", () => {
    const found = [
      aCandidate({ turnId: 1, distance: 0.2, chunkKeywords: 0, turnKeywords: 0 }),
      aCandidate({ turnId: 2, distance: 0.34, chunkKeywords: 8, turnKeywords: 5 }),
    ];
    const both = [1, 2].map((turnId): [number, string] => [turnId, "w0 w1 w2 w3 w4 w5"]);
    expect(order(found, [], aQuery({ terms: words }), both)).toEqual([2, 1]);
    expect(order(found, [], aQuery({ terms: words.slice(0, 1) }), both)).toEqual([1, 2]);
  });

  test("lets no word that is there by chance overrule meaning, where it is asked in other words", () => {
    const found = [
      aCandidate({ turnId: 1, distance: 0.2 }),
      aCandidate({ turnId: 2, distance: 0.34, chunkKeywords: 8, turnKeywords: 5 }),
    ];
    const byChance: [number, string][] = [[2, "w0"]];
    expect(order(found, [], aQuery({ terms: words }), byChance)).toEqual([1, 2]);
    const withoutVectors = found.map((candidate) => ({ ...candidate, distance: null }));
    expect(order(withoutVectors, [], aQuery({ terms: words }), byChance)).toEqual([2, 1]);
  });

  test("puts a commit or pull request that the query names first", () => {
    const found = [
      aCandidate({ turnId: 1, distance: 0.25, chunkKeywords: 5 }),
      aCandidate({ turnId: 2, distance: 0.26, chunkKeywords: 5, references: 1 }),
    ];
    expect(order(found)).toEqual([2, 1]);
  });

  test("prefers turns whose prompt holds the query's words", () => {
    const terms = [{ term: "invoices", turnIds: [1, 2], weight: 3, rarity: 3, share: 0.01 }];
    const found = [1, 2].map((turnId) => aCandidate({ turnId, distance: 0.3 }));
    const turns = [
      aTurn({ turnId: 1, text: "[User] Sum up each invoice\n\n[Assistant] Done.", createdAt: null }),
      aTurn({ turnId: 2, text: "[User] Sum up\n\n[Assistant] Each invoice.", createdAt: null }),
    ];
    expect(order(found, turns, aQuery({ terms }))).toEqual([1, 2]);
  });

  test("prefers turns whose prompt holds the query's neighbouring words", () => {
    const query = aQuery({ phrases: ["monthly report"] });
    const found = [1, 2].map((turnId) => aCandidate({ turnId, distance: 0.3 }));
    const turns = [
      aTurn({ turnId: 1, text: "[User] The monthly report is late", createdAt: null }),
      aTurn({ turnId: 2, text: "[User] The report that is monthly", createdAt: null }),
    ];
    expect(order(found, turns, query)).toEqual([1, 2]);
  });

  test("prefers passages that hold the query's numbers and names from code, and its words close together", () => {
    const found = [1, 2].map((turnId) => aCandidate({ turnId, distance: 0.3 }));
    const ask = (query: Parameters<typeof aQuery>[0], held: string, other: string) =>
      order(found, [], aQuery(query), [
        [1, held],
        [2, other],
      ]);
    const numbers = { literals: { numbers: ["1319"], identifiers: [] } };
    expect(ask(numbers, "All 1319 tests pass", "All 13190 tests pass")).toEqual([1, 2]);
    const identifiers = { literals: { numbers: [], identifiers: ["lint:fix"] } };
    expect(ask(identifiers, "Ran lint:fix first", "Ran lint, a fix came first")).toEqual([1, 2]);
    const apart = `quota ${"filler ".repeat(60)} exceeded`;
    const terms = ["quota", "exceeded"].map((term) => ({
      term,
      turnIds: [1, 2],
      weight: 2,
      rarity: 2,
      share: 0.01,
    }));
    expect(ask({ terms }, "the quota was exceeded", apart)).toEqual([1, 2]);
  });

  test("takes something off long turns, and lets the newer of two equals win", () => {
    const same = [1, 2].map((turnId) => aCandidate({ turnId, distance: 0.3 }));
    const long = aTurn({ turnId: 2, text: "x".repeat(40_000), createdAt: null });
    expect(order(same, [long])).toEqual([1, 2]);
    const dated = [
      aTurn({ turnId: 1, createdAt: "2026-03-02T00:00:00.000Z" }),
      aTurn({ turnId: 2, createdAt: "2026-03-01T00:00:00.000Z" }),
    ];
    expect(order(same, dated)).toEqual([1, 2]);
  });

  test("puts the turn with the higher number first when all else is equal", () => {
    const same = [2, 1, 3].map((turnId) => aCandidate({ turnId, distance: 0.3 }));
    expect(order(same)).toEqual([3, 2, 1]);
  });

  test("the score is the weighted sum of the evidence", () => {
    const turns = new Map([[1, aTurn({ turnId: 1, text: "", createdAt: null })]]);
    const [only] = rankByEvidence(
      [aCandidate({ turnId: 1, distance: 0.3 })],
      { turns, chunks: new Map() },
      aQuery(),
      null,
    );
    expect(only?.score).toBeCloseTo(FUSION_WEIGHTS.distance + 0.7 * FUSION_WEIGHTS.secondDistance, 9);
  });

  test("the own passage ends where the next prompt begins, also within a chunk", () => {
    const turn = aTurn({ turnId: 1, text: "[User] a\n\n[Assistant] Rounded down.\n\n[User] why down?" });
    const chunk = (from: string) => ({
      content: turn.text.slice(turn.text.indexOf(from)),
      start: turn.text.indexOf(from),
    });
    const [only] = rankByEvidence(
      [aCandidate({ turnId: 1 })],
      { turns: new Map([[1, turn]]), chunks: new Map([[1, [chunk("Rounded"), chunk("down?")]]]) },
      aQuery(),
      null,
    );
    expect(only).toMatchObject({
      passage: "Rounded down.\n\n[User] why down?\ndown?",
      ownPassage: "Rounded down.\n\n[User] \n",
    });
  });

  test("ranks by keywords where there are no vectors, and leaves out turns that are gone", () => {
    const found = [1, 2, 3].map((turnId) => aCandidate({ turnId, chunkKeywords: turnId }));
    const known = new Map([1, 3].map((turnId) => [turnId, aTurn({ turnId, createdAt: null })]));
    const loaded = { turns: known, chunks: new Map() };
    expect(
      rankByEvidence(found, loaded, aQuery({ terms: words }), null).map(({ turn }) => turn.turnId),
    ).toEqual([3, 1]);
  });
});
