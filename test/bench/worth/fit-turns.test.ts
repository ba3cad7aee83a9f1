import { expect, test } from "bun:test";
import { fitTurns } from "./fit-turns.ts";
import type { TurnRow } from "./rows.ts";

/** 200 prompts of 50 sessions with a candidate each; whether it is worth it follows `v_best`, `noise` follows nothing. */
const ROWS: TurnRow[] = Array.from({ length: 200 }, (_, i) => {
  const isWorth = i % 2 === 0;
  return {
    ...{ kind: "turn", candidate: "c:0", id: `s${i % 50}:${i}`, group: `s${i % 50}`, half: "fit" },
    ...{ need: isWorth ? 2 : 0, turn: isWorth ? 3 : 0, made: false },
    f: {
      v_best: (isWorth ? 0.5 : 0.3) + ((i * 37) % 199) / 1_000,
      noise: (i % 4) / 2 < 1 ? 1 : 0,
      g_size: i % 2,
    },
  };
});

test("a feature that tells nothing, one of vectors for words, and one that names the history are left out", () => {
  const namesOf = (kind: "vectors" | "words") => fitTurns(ROWS, kind).weights.map(([name]) => name);
  expect(namesOf("vectors")).toEqual(["v_best"]);
  expect(namesOf("words")).toEqual([]);
});

test("at the limit, few of the prompts without need are answered when their session is left out", () => {
  const { tried, limit } = fitTurns(ROWS, "vectors");
  const without = ROWS.filter(({ need }) => need === 0);
  expect(without.filter((row) => (tried.get(row) ?? 0) >= limit).length / without.length).toBeCloseTo(
    0.03,
    1,
  );
  expect(tried.size).toBe(ROWS.length);
});

test("rows that were made count less, and say nothing of the limit", () => {
  const made = ROWS.map((row): TurnRow => ({ ...row, made: true, turn: 3 - row.turn, id: `m${row.id}` }));
  const weightOf = (rows: readonly TurnRow[]) => fitTurns(rows, "vectors").weights[0]?.[1] ?? 0;
  expect(weightOf([...ROWS, ...made])).toBeGreaterThan(0);
  expect(weightOf([...ROWS, ...made])).toBeLessThan(weightOf(ROWS));
});
