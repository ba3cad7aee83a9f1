import { expect, test } from "bun:test";
import { WORTH_MODELS } from "../../../src/recall/worth/model.ts";
import { fitTurns } from "./fit-turns.ts";
import type { TurnRow } from "./rows.ts";

/** 200 prompts of 50 sessions with a candidate each; whether it is worth it follows `nearness`, or `score` by words. */
const ROWS: TurnRow[] = (["vectors", "words"] as const).flatMap((by) =>
  Array.from({ length: 200 }, (_, i): TurnRow => {
    const isWorth = i % 2 === 0;
    const signal = (isWorth ? 0.5 : 0.3) + ((i * 37) % 199) / 1_000;
    return {
      ...{ kind: "turn", by, candidate: "c:0", id: `s${i % 50}:${i}`, group: `s${i % 50}`, half: "fit" },
      ...{ need: isWorth ? 2 : 0, turn: isWorth ? 3 : 0, made: false, chunks: 2_000 },
      f: { [by === "vectors" ? "nearness" : "score"]: signal, sessionTurns: 1 + (i % 3) },
    };
  }),
);

test("each model has the features that it has today, fitted to the rows of its kind", () => {
  const weightsOf = (kind: "vectors" | "words") => Object.fromEntries(fitTurns(ROWS, kind).weights);
  const [vectors, words] = [weightsOf("vectors"), weightsOf("words")];
  expect(Object.keys(vectors)).toEqual(Object.keys(WORTH_MODELS.vectors.weights));
  expect(Object.keys(words)).toEqual(Object.keys(WORTH_MODELS.words.weights));
  expect([vectors.nearness ?? 0, words.score ?? 0].every((weight) => weight > 1)).toBe(true);
  expect(Math.abs(vectors.files ?? 1)).toBeLessThan(0.01);
});

test("at the limit, few of the prompts without need are answered when their session is left out", () => {
  const { tried, limit } = fitTurns(ROWS, "vectors");
  const rows = ROWS.filter(({ by }) => by === "vectors");
  const without = rows.filter(({ need }) => need === 0);
  expect(without.filter((row) => (tried.get(row) ?? 0) >= limit).length / without.length).toBeCloseTo(
    0.03,
    1,
  );
  expect(tried.size).toBe(rows.length);
});

test("rows that were made count less, and say nothing of the limit", () => {
  const made = ROWS.map((row): TurnRow => ({ ...row, made: true, turn: 3 - row.turn, id: `m${row.id}` }));
  const weightOf = (rows: readonly TurnRow[]) =>
    Object.fromEntries(fitTurns(rows, "vectors").weights).nearness ?? 0;
  expect(weightOf([...ROWS, ...made])).toBeGreaterThan(0);
  expect(weightOf([...ROWS, ...made])).toBeLessThan(weightOf(ROWS));
});
