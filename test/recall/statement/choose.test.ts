import { describe, expect, test } from "bun:test";
import {
  joinBest,
  type ScoredSentence,
  type StatementOptions,
  scoredSentences,
} from "../../../src/recall/statement/choose.ts";
import type { SoughtWords } from "../../../src/recall/statement/features.ts";
import { composeText, type PartContent } from "../../../src/turn/text.ts";

const NOTHING: SoughtWords = { words: [], total: 0 };

function sought(...forms: string[]): SoughtWords {
  return { words: forms.map((form) => ({ form, weight: 1 })), total: forms.length };
}

function statement(pieces: PartContent[], words = NOTHING, options: Partial<StatementOptions> = {}) {
  return (
    joinBest(scoredSentences(composeText(pieces), words), { chars: 400, within: 0, ...options })?.text ?? null
  );
}

/** Sentences of a text that stand on one line each, with scores of their own. */
function scored(sentences: readonly (Partial<ScoredSentence> & { text: string; score: number })[]) {
  let start = 0;
  return sentences.map((sentence, line): ScoredSentence => {
    const given = { kind: "answer" as const, line, place: 0, isHeading: false, isItem: false, ...sentence };
    const made = { ...given, start, end: start + sentence.text.length };
    start = made.end + 1;
    return made;
  });
}

test("a sentence of a few Chinese or Korean letters says enough to be told", () => {
  expect(statement([{ kind: "answer", text: "센서는 꼭 두 번 읽는다." }])).toBe("센서는 꼭 두 번 읽는다.");
  expect(statement([{ kind: "answer", text: "传感器必须读两次。" }])).toBe("传感器必须读两次。");
  expect(statement([{ kind: "answer", text: "Read it twice." }])).toBeNull();
});

describe("joined", () => {
  const FIRST = { text: "The cache is stale.", score: 1 };
  const SECOND = { text: "Its clock runs ahead.", score: 2 };
  const THIRD = { text: "So we read it twice.", score: 1.5 };
  const text = (sentences: Parameters<typeof scored>[0], options: Partial<StatementOptions> = {}) =>
    joinBest(scored(sentences), { chars: 400, ...options })?.text ?? null;

  test("puts the best sentences in their order, with the best one's speaker and score", () => {
    expect(joinBest(scored([FIRST, SECOND, THIRD]), { chars: 400 })).toEqual({
      text: "The cache is stale. Its clock runs ahead. So we read it twice.",
      kind: "answer",
      score: 2,
    });
  });

  test.each([
    "Now remove the inline logos from the page:",
    "Let me read the cache first.",
    "Delegating the cache to a subagent.",
    "Shall I mend the clock, too?",
    "What changed in the cache:",
    "Here's a summary of all that was changed in the cache today:",
  ])("leaves out a step, a question and a title of the agent: %s", (step) => {
    expect(text([{ text: step, score: 3 }, FIRST])).toBe(FIRST.text);
    expect(text([{ text: step, score: 3 }])).toBeNull();
  });

  test("keeps a step that says why it is taken, and what the user asks", () => {
    const reasoned = "Let me read the cache twice, because its clock runs ahead.";
    expect(text([{ text: reasoned, score: 3 }])).toBe(reasoned);
    expect(text([{ text: "Let me see the cache first.", score: 3, kind: "prompt" }])).toBe(
      "Let me see the cache first.",
    );
  });

  test("says nothing twice", () => {
    const more = { ...FIRST, text: "The cache is stale. Nobody reads it." };
    expect(text([FIRST, more, FIRST])).toBe(FIRST.text);
  });

  test("marks what is left out between two sentences", () => {
    expect(text([FIRST, { ...SECOND, score: -3 }, THIRD])).toBe("The cache is stale. … So we read it twice.");
  });

  test("parts lines without a full stop by a semicolon, but not the sentences of a line", () => {
    const [a, b] = [
      { text: "the cache is stale", score: 1 },
      { text: "its clock runs ahead", score: 1 },
    ];
    expect(text([a, b])).toBe("the cache is stale; its clock runs ahead");
    expect(
      text([
        { ...a, line: 0 },
        { ...b, line: 0 },
      ]),
    ).toBe("the cache is stale its clock runs ahead");
    expect(text([{ ...a, text: "The two causes that we know of are these:" }, b])).toBe(
      "The two causes that we know of are these: its clock runs ahead",
    );
    expect(text([{ ...a, text: "缓存过期了因为时钟走得太快太快了。" }, b])).toBe(
      "缓存过期了因为时钟走得太快太快了。 its clock runs ahead",
    );
  });

  test("takes at most three sentences, none much less sure than the best, and as many as fit", () => {
    const sentence = (n: number, score: number) => ({ text: `This is sentence ${n}.`, score });
    expect(text([1, 2, 3, 4].map((n) => sentence(n, 1)))).toBe(
      "This is sentence 1. This is sentence 2. This is sentence 3.",
    );
    expect(text([sentence(1, 3), sentence(2, 1)])).toBe("This is sentence 1.");
    expect(text([sentence(1, 3), sentence(2, 1)], { within: 2 })).toBe(
      "This is sentence 1. This is sentence 2.",
    );
    expect(text([sentence(1, 3), sentence(2, 3)], { chars: 30 })).toBe("This is sentence 1.");
    expect(text([{ text: `A${"a".repeat(400)} longer one`, score: 1 }], { chars: 30 })).toHaveLength(412);
  });

  test("never mixes the user's words with those of the agent, nor what was said with what was thought", () => {
    const asked = { ...FIRST, kind: "prompt" as const };
    expect(text([asked, SECOND, { ...THIRD, kind: "narration" }])).toBe(
      "Its clock runs ahead. So we read it twice.",
    );
    expect(text([asked, SECOND, { ...THIRD, kind: "thinking" }])).toBe("Its clock runs ahead.");
    expect(text([asked, { ...SECOND, score: 0.9 }, { ...THIRD, score: 1, kind: "forward" }])).toBe(
      "The cache is stale. … So we read it twice.",
    );
  });

  test("is null without a sentence that says something", () => {
    expect(joinBest([], { chars: 400 })).toBeNull();
    expect(text([{ text: "Done.", score: 9 }])).toBeNull();
  });
});

describe("statementOf", () => {
  test("prefers the cause, the decision and the fix to narration, questions and guesses", () => {
    const others =
      "Let me look at the parser first. Would you like me to add a test? Maybe the cache is involved here.";
    for (const settles of [
      "The root cause is that `parse()` drops the sign of refunds.",
      "We decided to keep cents instead of euros, because sums of euros drift.",
      "Fixed: `parse()` now keeps the sign of a refund.",
    ])
      expect(statement([{ kind: "answer", text: `${others} ${settles}` }])).toBe(settles);
  });

  test("prefers the sentence about what is sought", () => {
    const text = "The importer skips rows without a date. The exporter writes dates in UTC.";
    expect(statement([{ kind: "answer", text }], sought("export", "utc"))).toBe(
      "The exporter writes dates in UTC.",
    );
    expect(statement([{ kind: "answer", text }], sought("import", "row"))).toBe(
      "The importer skips rows without a date.",
    );
  });

  test("prefers the answer to the question that it echoes, and to thinking and narration", () => {
    const answer = "The parser rejects refunds because their amounts are negative.";
    expect(
      statement(
        [
          { kind: "prompt", text: "why does the parser reject refunds?" },
          { kind: "thinking", text: "The user wants to know why the parser rejects refunds." },
          { kind: "narration", text: "Now let me read the parser for refunds:" },
          { kind: "answer", text: answer },
        ],
        sought("parser", "reject", "refund"),
      ),
    ).toBe(answer);
  });

  test("is null for a turn that says nothing in words", () => {
    expect(statement([])).toBeNull();
    expect(statement([{ kind: "tools", text: "Read(a.ts)" }])).toBeNull();
    expect(statement([{ kind: "answer", text: "```\nconst a = 1;\n```" }])).toBeNull();
  });
});

test("scoredSentences gives each sentence its place and a finite score, whatever is sought", () => {
  const turn = composeText([
    { kind: "prompt", text: "Why? Tell me." },
    { kind: "answer", text: "# Cause\nThe clock." },
  ]);
  for (const words of [NOTHING, sought("clock")]) {
    const sentences = scoredSentences(turn, words);
    expect(sentences.map(({ text }) => text)).toEqual(["Why?", "Tell me.", "Cause", "The clock."]);
    expect(sentences.every(({ score }) => Number.isFinite(score))).toBe(true);
  }
});
