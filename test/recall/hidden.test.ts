import { describe, expect, test } from "bun:test";
import questions from "../../fixtures/marks/questions.json";
import type { Strictness } from "../../src/recall/gate.ts";
import { hiddenTurns, isMarkedBad, isSameQuestion, strictnessAfter } from "../../src/recall/hidden.ts";
import type { BadMark } from "../../src/store/marks.ts";

const byWords = (text: string) => ({ text, vector: null });
const QUESTION = "How do we retry failed webhooks?";

function marks(bad: Partial<BadMark>[], muted: number[] = []) {
  return {
    hidden: async () => new Set(muted),
    bad: async () => bad.map((mark) => ({ turnId: 1, prompt: null, subject: null, vector: null, ...mark })),
  };
}

describe("hidden turns", () => {
  test("are muted ones for every hook, and bad ones for prompts and files like those they were marked for", async () => {
    const known = marks(
      [{ turnId: 1, prompt: QUESTION }, { turnId: 2, subject: "src/a.ts" }, { turnId: 3 }],
      [9],
    );
    expect(await hiddenTurns(known)).toEqual(new Set([9]));
    expect(await hiddenTurns(known, { prompt: "how are failed webhooks retried" })).toEqual(new Set([9, 1]));
    expect(await hiddenTurns(known, { prompt: "How are webhooks signed?" })).toEqual(new Set([9]));
    expect(await hiddenTurns(known, { file: "src/a.ts" })).toEqual(new Set([9, 2]));
    expect(await hiddenTurns(known, { file: "src/b.ts" })).toEqual(new Set([9]));
  });

  test("are found by the distance of vectors where both have one", async () => {
    const near = Float32Array.of(1, 0.1, 0);
    const far = Float32Array.of(0, 1, 0);
    const known = marks([{ prompt: QUESTION, vector: Float32Array.of(1, 0, 0) }]);
    const other = "an entirely different wording";
    expect(await hiddenTurns(known, { prompt: other, vector: near })).toEqual(new Set([1]));
    expect(await hiddenTurns(known, { prompt: other, vector: far })).toEqual(new Set());
    expect(await hiddenTurns(known, { prompt: "what is retried when webhooks fail", vector: far })).toEqual(
      new Set(),
    );
    expect(await hiddenTurns(known, { prompt: QUESTION, vector: far })).toEqual(new Set([1]));
  });

  test("of a long prompt are found by its start, which is all that is stored", async () => {
    const long = `${QUESTION} ${"and here is the whole log that I pasted below it. ".repeat(20)}`;
    const known = marks([{ prompt: long.slice(0, 300) }]);
    expect(await hiddenTurns(known, { prompt: `${long} one more line` })).toEqual(new Set([1]));
  });
});

describe("a bad answer", () => {
  test("is known for a prompt like the one that it was given to", async () => {
    const known = marks(
      [{ turnId: 1, prompt: QUESTION }, { turnId: 2, subject: "src/a.ts" }, { turnId: 3 }],
      [9],
    );
    expect(await isMarkedBad(known, { prompt: "how are failed webhooks retried" })).toBe(true);
    expect(await isMarkedBad(known, { prompt: "How are webhooks signed?" })).toBe(false);
    expect(await isMarkedBad(marks([], [9]), { prompt: QUESTION })).toBe(false);
  });

  test("raises how sure the hook must be, unless it tells whatever is found", () => {
    expect((["off", "loose", "normal", "strict"] as const).map(strictnessAfter)).toEqual([
      ...["off", "strict", "strict", "strict"],
    ] as Strictness[]);
  });
});

test("words tell most rephrased questions from other questions about the same turn", () => {
  const share = (kind: "same" | "other") => {
    const pairs = questions.flatMap((each) => each[kind].map((text) => [each.question, text] as const));
    return pairs.filter(([a, b]) => isSameQuestion(byWords(a), byWords(b))).length / pairs.length;
  };
  expect(share("same")).toBeGreaterThanOrEqual(0.7);
  expect(share("other")).toBeLessThanOrEqual(0.08);
});

test("the words of other scripts count too", () => {
  expect(
    isSameQuestion(
      byWords("キャッシュはいつ無効になりますか"),
      byWords("キャッシュはいつ無効になりますか？"),
    ),
  ).toBe(true);
  expect(isSameQuestion(byWords("キャッシュはいつ無効になりますか"), byWords("データベースを移行する"))).toBe(
    false,
  );
  expect(isSameQuestion(byWords("???"), byWords("!!!"))).toBe(false);
});
