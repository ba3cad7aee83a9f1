import { describe, expect, test } from "bun:test";
import { endsUse, holdsChange } from "../../../src/search/succession/cues.ts";
import { type Statement, successionFeatures } from "../../../src/search/succession/features.ts";
import { compareQuantities } from "../../../src/search/succession/quantities.ts";
import { probabilityOf } from "../../../src/search/succession/successor.ts";

const statement = (prompt: string, answer: string, given: Partial<Statement> = {}): Statement => ({
  prompt,
  answer,
  distance: 0.2,
  files: [],
  sessionId: "s",
  ...given,
});

const QUESTION = "how are print jobs handed to the printers?";
const older = statement(
  "How should print jobs get to the printers?",
  "RabbitMQ, with a consumer for each site.",
  {
    files: ["src/queue.ts"],
    sessionId: "older",
  },
);
const replaced = statement(
  "Tidy up printing.",
  "Print jobs are rows in the print_jobs table now. We got rid of RabbitMQ.",
  { files: ["src/queue.ts"], distance: 0.18 },
);
const extended = statement(
  "How many print jobs wait?",
  "A gauge reads the depth of the queue from RabbitMQ.",
  {
    files: ["src/metrics.ts"],
  },
);

describe("successionFeatures", () => {
  test("tells what speaks for a turn that replaced an older one", () => {
    const { coverage, shared, nearer, ...rest } = successionFeatures(QUESTION, older, replaced);
    expect(rest).toEqual({
      change: 1,
      promptChange: 0,
      now: 1,
      ended: 1,
      kept: 0,
      newNames: 1,
      sameQuantity: 0,
      otherQuantity: 0,
      file: 1,
      session: 0,
    });
    expect(nearer).toBeCloseTo(0.02);
    expect([coverage > 0.2, coverage < 1, shared > 0.2, shared < 1]).toEqual([true, true, true, true]);
  });

  test("sees that a later turn goes on to use what the older one names", () => {
    const { ended, kept, change } = successionFeatures(QUESTION, older, extended);
    expect({ ended, change }).toEqual({ ended: 0, change: 0 });
    expect(kept).toBeGreaterThan(0.2);
  });

  test("make one turn likely to replace another, and one unlikely", () => {
    expect(probabilityOf(successionFeatures(QUESTION, older, replaced))).toBeGreaterThan(0.4);
    expect(probabilityOf(successionFeatures(QUESTION, older, extended))).toBeLessThan(0.2);
  });
});

test.each([
  ["We switched over to Dramatiq.", true],
  ["Jobs are no longer lost.", true],
  ["Deliveries take eight attempts.", false],
  ["The dropdown is wide.", false],
])("%s says that something changed: %j", (text, expected) => {
  expect(holdsChange(text)).toBe(expected);
});

test.each([
  ["The broker is gone, with its container.", "broker", true],
  ["We took date-fns out.", "date-fns", true],
  ["Chatwoot rather than Intercom.", "Intercom", true],
  ["Redis answers in a millisecond.", "Redis", false],
  ["Added a gauge for Redis.", "Redis", false],
])("%s ends the use of %s: %j", (sentence, word, expected) => {
  const start = sentence.indexOf(word);
  expect(endsUse(sentence, start, start + word.length)).toBe(expected);
});

test.each([
  ["valid for 24 hours", "shortened to 15 minutes", "other"],
  ["valid for 24 hours", "still 24 hours, refresh after 30 days", "same"],
  ["up to 25 MB", "within 30 seconds", "none"],
  ["four workers", "two workers", "other"],
] as const)("the quantities of %j and %j: %s", (first, second, expected) => {
  expect(compareQuantities(first, second)).toBe(expected);
});
