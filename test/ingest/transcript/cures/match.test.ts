import { expect, test } from "bun:test";
import type { Cure } from "../../../../src/domain.ts";
import { bestCure, errorTemplate, type FreshFailure } from "../../../../src/ingest/transcript/cures/match.ts";

const line = (text: string) => ({ text, form: errorTemplate(text) });
const NO_REGION = "error: no location was chosen for the bucket";

const failure = (facts: Partial<FreshFailure> = {}): FreshFailure => ({
  command: "fly deploy --app shop",
  kinds: ["fly deploy"],
  errors: [line(NO_REGION)],
  output: NO_REGION,
  ...facts,
});
const cure = (facts: Partial<Cure> = {}): Cure => ({
  errors: [line(NO_REGION)],
  kinds: ["fly deploy"],
  failed: "fly deploy --app shop",
  call: "fly deploy --app shop --region fra",
  isBefore: false,
  calls: 3,
  change: null,
  said: null,
  ...facts,
});
const REASON = { text: "Our account has no default place for buckets.", isThinking: false };

test.each<[string, Partial<Cure>, Partial<FreshFailure>, boolean]>([
  ["the same call", {}, {}, true],
  ["the same program for another app", {}, { command: "fly deploy --app blog" }, true],
  ["another error", { errors: [line("error: no space is left")] }, {}, false],
  ["another program", {}, { kinds: ["npm ci"], command: "npm ci" }, false],
  ["a call that the next one got past", { calls: 1 }, {}, false],
  [
    "one that the next call got past, with the reason of an error that says nothing of it",
    { calls: 1, said: REASON },
    {},
    true,
  ],
  [
    "one that the next call got past, where the error names a word of the call",
    { calls: 1, said: REASON },
    { command: "fly deploy --bucket a" },
    false,
  ],
  ["a cure that the error names", {}, { output: "error: add --region fra" }, false],
  [
    "a word to leave out that the error names",
    { call: "fly deploy" },
    { output: "unknown flag --app" },
    false,
  ],
  ["a call that is another one, without a reason", { call: "terraform apply -auto-approve" }, {}, false],
  [
    "a call that is another one, with its reason",
    { call: "terraform apply -auto-approve", said: REASON },
    {},
    true,
  ],
])("%s", (_what, known, now, isTold) => {
  const one = { cure: cure(known) };
  expect(bestCure(failure(now), [one])).toBe(isTold ? one : null);
});

test("of two, the one that was explained; none where one of them was plain", () => {
  const [plain, explained] = [{ cure: cure() }, { cure: cure({ said: REASON }) }];
  expect(bestCure(failure(), [plain, explained])).toBe(explained);
  expect(bestCure(failure(), [explained, { cure: cure({ calls: 1 }) }])).toBeNull();
});

test.each<[string, string, string, Partial<Cure>, boolean]>([
  ["the same path", "error: src/a.ts does not exist", "error: src/a.ts does not exist", {}, true],
  ["another path", "error: src/a.ts does not exist", "error: lib/b.ts does not exist", {}, false],
  [
    "one in the same place, and the cure is the directory",
    "error: src/a.ts does not exist",
    "error: src/b.ts does not exist",
    { call: "cd /app && fly deploy --app shop" },
    true,
  ],
])("what was not found: %s", (_what, was, now, facts, isTold) => {
  const one = { cure: cure({ errors: [line(was)], ...facts }) };
  expect(bestCure(failure({ errors: [line(now)], output: now }), [one])).toBe(isTold ? one : null);
});
