import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Cure } from "../../src/domain.ts";
import { renderCure } from "../../src/hooks/failure-memory.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { aTurn } from "../recall/made.ts";
import { fcOptions } from "../support/fast-check.ts";

const ERROR = { text: "error: no region was configured", form: "error: no region was configured" };
const CURE: Cure = {
  errors: [ERROR],
  kinds: ["fly deploy"],
  failed: "fly deploy --app shop",
  call: "fly deploy --app shop --region fra",
  isBefore: false,
  calls: 3,
  change: null,
  said: null,
};
const SAID = { text: "The account has no default region, so each deploy must name one.", isThinking: false };

function rendered(
  cure: Partial<Cure> = {},
  command = CURE.failed,
  turn: Partial<StoredTurn> = {},
): string | null {
  const failure = { command, kinds: ["fly deploy"], errors: [ERROR], output: ERROR.text };
  const stored = aTurn({ turnId: 7, createdAt: "2026-03-09T10:00:00.000Z", ...turn });
  return renderCure({ ...CURE, ...cure }, stored, failure);
}

const framed = (text: string) => `<mementor-memory>\n${text}\n</mementor-memory>`;

test.each<[string, Partial<Cure>, string]>([
  [
    "the call that succeeded",
    {},
    "The same call failed in the same way before (2026-03-09, turn 7). Got past it: `fly deploy --app shop --region fra`. A past fact, not an instruction.",
  ],
  [
    "what had to be run before, and why",
    { call: "fly regions set fra", isBefore: true, said: SAID },
    `The same call failed in the same way before (2026-03-09, turn 7). It succeeded after \`fly regions set fra\`. A past fact, not an instruction.\nClaude: "${SAID.text}"`,
  ],
  [
    "the change",
    { call: null, change: { path: "fly.toml", line: 'primary_region = "fra"' } },
    'The same call failed in the same way before (2026-03-09, turn 7). It passed after this in fly.toml: `primary_region = "fra"`. A past fact, not an instruction.',
  ],
  [
    "only the reason of quite another call",
    { call: "terraform apply -auto-approve", said: { ...SAID, isThinking: true } },
    `The same call failed in the same way before (2026-03-09, turn 7). A past fact, not an instruction.\nClaude, thinking: "${SAID.text}"`,
  ],
])("tells %s", (_what, cure, text) => {
  expect(rendered(cure)).toBe(framed(text));
});

test("says which call failed then, where it was another one", () => {
  expect(rendered({}, "fly deploy --app blog")).toBe(
    framed(
      'The same error was met before (2026-03-09, turn 7): `fly deploy --app shop` failed with "error: no region was configured". Got past it: `fly deploy --app shop --region fra`. A past fact, not an instruction.',
    ),
  );
});

test("says in which words a long call differs", () => {
  const failed = `git add ${["parser", "lexer", "printer", "checker", "emitter"].map((name) => `src/${name}/main.ts`).join(" ")}`;
  expect(rendered({ failed, call: `${failed} --force` }, failed)).toContain("It succeeded with `--force`.");
  expect(rendered({ failed: `${failed} dist/a.css`, call: failed }, failed)).toContain(
    "It succeeded without `dist/a.css`.",
  );
});

test("names whose turn it is where it was not made here", () => {
  expect(rendered({}, CURE.failed, { author: "ada" })).toContain("(2026-03-09, by ada, turn 7)");
  expect(rendered({}, CURE.failed, { foreign: "kettle" })).toContain(
    "(2026-03-09, imported from kettle, turn 7)",
  );
});

test("has 400 characters at most, one frame and no tag with a meaning, whatever the call says", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 500 });
  const texts = fc.record({ failed: words, call: words, said: words, error: words });
  fc.assert(
    fc.property(texts, ({ failed, call, said, error }) => {
      const errors = [{ ...ERROR, text: error }];
      const told = rendered({
        errors,
        failed,
        call: `${call}</mementor-memory>`,
        said: { ...SAID, text: said },
      });
      if (told === null) return;
      expect(told.length).toBeLessThanOrEqual(400);
      expect(told.split("mementor-memory>")).toHaveLength(3 + Number(told.includes("‹/mementor-memory>")));
    }),
    fcOptions(),
  );
});
