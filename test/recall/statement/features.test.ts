import { describe, expect, test } from "bun:test";
import { coveredShare, type SoughtWords, sentenceFeatures } from "../../../src/recall/statement/features.ts";
import { splitSentences } from "../../../src/turn/sentences.ts";
import { composeText, type PartContent } from "../../../src/turn/text.ts";

const NOTHING: SoughtWords = { words: [], total: 0 };
const SOUGHT: SoughtWords = {
  words: [
    { form: "pars", weight: 3 },
    { form: "refund", weight: 1 },
  ],
  total: 4,
};

const featuresOf = (pieces: PartContent[], sought = NOTHING) =>
  sentenceFeatures(splitSentences(composeText(pieces)), sought);

test.each<[string, number]>([
  ["The Parser fails.", 0.75],
  ["Refunds are parsed.", 1],
  ["Nothing.", 0],
])("coveredBy: %s", (text, share) => {
  expect(coveredShare(text, SOUGHT)).toBe(share);
  expect(coveredShare(text, NOTHING)).toBe(0);
});

describe("sentenceFeatures", () => {
  test("says where in its part a sentence stands, and what stands around it", () => {
    const features = featuresOf(
      [
        { kind: "prompt", text: "Mend refunds." },
        { kind: "narration", text: "These fail:" },
        { kind: "answer", text: "## Causes\n- The parser.\n- The sum." },
      ],
      SOUGHT,
    );
    expect(
      features.map((each) => [each.position, each.first, each.last, each.heading, each.item, each.afterLead]),
    ).toEqual([
      [0.5, 1, 1, 0, 0, 0],
      [0.5, 1, 1, 0, 0, 0],
      [0, 1, 0, 1, 0, 1],
      [0.5, 0, 0, 0, 1, 0],
      [1, 0, 1, 0, 1, 0],
    ]);
    expect(features.map((each) => [each.covered, each.before, each.after, each.coveredOfMost])).toEqual([
      [0.25, 0, 0, 1 / 3],
      [0, 0.25, 0, 0],
      [0, 0, 0.75, 0],
      [0.75, 0, 0, 1],
      [0, 0.75, 0, 0],
    ]);
    expect(features.map((each) => [each.afterHeading, each.promptCovered, each.answerCovered])).toEqual([
      [0, 0.25, 0],
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0.75],
      [0, 0, 0],
    ]);
  });

  test("tells a turn without an answer from one with it", () => {
    const kinds = [
      { kind: "prompt" as const, text: "Mend it." },
      { kind: "thinking" as const, text: "How?" },
      { kind: "narration" as const, text: "I read." },
    ];
    const only = (pieces: PartContent[]) =>
      featuresOf(pieces).map((each) => [each.onlyPrompt, each.onlyThinking, each.onlyNarrated, each.answer]);
    expect(only(kinds)).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ]);
    expect(only([...kinds, { kind: "answer", text: "Mended." }])).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 1],
    ]);
  });

  test.each<[string, string]>([
    ["reason", "It is cached because reads are slow."],
    ["reason", "因为读取太慢。"],
    ["decision", "We went with SQLite instead of files."],
    ["rule", "Times must never be local."],
    ["finding", "It turns out that the clock is wrong."],
    ["change", "The parser now returns null."],
    ["narration", "Now let me run the tests."],
    ["narration", "Great, so I'll add a test."],
    ["checked", "All tests pass."],
    ["guess", "Maybe it is the cache."],
    ["restated", "The user wants a cache."],
    ["question", "Shall it be cached?**"],
    ["lead", "**These files change:**"],
    ["deictic", "This is why."],
    ["name", "See parseTurn in it."],
    ["name", "Look at src/cache.ts again."],
  ])("sees a sign of %s in: %s", (cue, text) => {
    expect(featuresOf([{ kind: "answer", text }])).toMatchObject([{ [cue]: 1 }]);
  });

  test("sees none of these signs in a plain fact", () => {
    expect(featuresOf([{ kind: "answer", text: "The fence has two coats of green paint." }])).toMatchObject([
      {
        ...{ reason: 0, decision: 0, rule: 0, finding: 0, change: 0, narration: 0, checked: 0 },
        ...{ guess: 0, restated: 0, question: 0, lead: 0, deictic: 0, name: 0 },
      },
    ]);
  });

  test("measures short and long sentences", () => {
    const [short, long] = featuresOf([
      { kind: "answer", text: `Thirty letters and blanks here\n${"word ".repeat(64).trim()}` },
    ]);
    expect([short?.short, short?.long]).toEqual([0.5, 0]);
    expect([long?.short, long?.long]).toEqual([0, Math.log(319 / 160)]);
  });
});
