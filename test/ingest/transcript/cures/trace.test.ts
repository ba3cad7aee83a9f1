import { expect, test } from "bun:test";
import type { Cure } from "../../../../src/domain.ts";
import type { FileChange, ToolCall } from "../../../../src/ingest/transcript/events.ts";
import { CureTrace } from "../../../../src/ingest/transcript/thread.ts";

type Step = { run: string; fails?: string } | { edit: FileChange } | { says: string };

function callOf(step: Exclude<Step, { says: string }>, id: string): ToolCall {
  const common = { id, shown: [], paths: [], web: null, returnsWords: false };
  return "run" in step
    ? { ...common, name: "Bash", command: step.run }
    : { ...common, name: "Edit", command: null, change: step.edit };
}

/** Plays what happened in a turn, one call after the other. Returns what got past its failures. */
function curesOf(steps: readonly Step[]): Cure[] {
  const trace = new CureTrace();
  for (const [at, step] of steps.entries())
    if ("says" in step) trace.say([{ text: step.says, isThinking: false }]);
    else {
      trace.add(callOf(step, `c${at}`));
      trace.finish(`c${at}`, "run" in step ? (step.fails ?? null) : null);
    }
  return trace.cures.map(({ cure }) => cure);
}

const NO_REGION = "error: no region was configured for the upload";
const DEPLOY: Cure = {
  errors: [{ text: NO_REGION, form: NO_REGION }],
  kinds: ["fly deploy"],
  failed: "fly deploy --app shop",
  call: null,
  isBefore: false,
  calls: 1,
  change: null,
  said: null,
};
const FAILS: Step = { run: "fly deploy --app shop", fails: NO_REGION };
const SET = {
  path: "config/prod.toml",
  before: "[upload]",
  after: '[upload]\nregion = "fra"\nconfigured = true',
};

test.each<[string, Step[], Cure[]]>([
  [
    "the call as it then succeeded",
    [FAILS, { run: "fly deploy --app shop --region fra" }],
    [{ ...DEPLOY, call: "fly deploy --app shop --region fra" }],
  ],
  [
    "how many calls it took",
    [FAILS, { run: "cat fly.toml" }, { run: "fly deploy --app shop --region fra" }],
    [{ ...DEPLOY, call: "fly deploy --app shop --region fra", calls: 2 }],
  ],
  [
    "what had to be run before",
    [FAILS, { run: "fly regions set fra" }, { run: "fly deploy --app shop" }],
    [{ ...DEPLOY, call: "fly regions set fra", isBefore: true, calls: 2 }],
  ],
  [
    "the setting that the error names, and why",
    [
      FAILS,
      { says: "The upload failed because production has no region configured." },
      { edit: { ...SET, path: "package.json" } },
      { run: "fly deploy --app shop" },
    ],
    [
      {
        ...DEPLOY,
        calls: 2,
        change: { path: "package.json", line: 'region = "fra" configured = true' },
        said: { text: "The upload failed because production has no region configured.", isThinking: false },
      },
    ],
  ],
  [
    "nothing of a change of code",
    [FAILS, { edit: { ...SET, path: "src/a.ts" } }, { run: "fly deploy --app shop" }],
    [],
  ],
  ["nothing where it was never got past", [FAILS, { run: "fly status" }, FAILS], []],
  [
    "nothing where the same error came again",
    [FAILS, { run: "fly deploy --app shop --now", fails: NO_REGION }],
    [],
  ],
  ["nothing where the exit was only hidden", [FAILS, { run: "fly deploy --app shop || true" }], []],
  ["nothing where the same call succeeded by itself", [FAILS, { run: "fly deploy --app shop" }], []],
  [
    "another failure as progress",
    [FAILS, { run: "fly deploy --app shop --region fra", fails: "error: the image cannot be pulled" }],
    [{ ...DEPLOY, call: "fly deploy --app shop --region fra" }],
  ],
])("keeps %s", (_what, steps, expected) => {
  expect(curesOf(steps)).toEqual(expected);
});

test("does not follow tools whose failures are mistakes in the call", () => {
  const trace = new CureTrace();
  const read = (id: string): ToolCall => ({
    ...{ id, name: "Read", shown: [], paths: ["a.ts"], web: null, command: null, returnsWords: false },
  });
  trace.add(read("a"));
  trace.finish("a", "error: the file is missing");
  trace.add(read("b"));
  trace.finish("b", null);
  expect(trace.cures).toEqual([]);
});

test("a form is made of an error without its secrets: without digits, no rule knows them", () => {
  const fails = "error: the broker rejected postgres://ada:Zk4vQ9mN2pLx@db.example.com/shop as invalid";
  const [cure] = curesOf([
    { run: "fly deploy --app shop", fails },
    { run: "fly deploy --app shop --region fra" },
  ]);
  expect(JSON.stringify(cure?.errors)).not.toMatch(/Zk|mN|pLx/);
  const token = `error: the token dop_v1_${"4f9c".repeat(16)} was rejected`;
  const [other] = curesOf([{ run: "doctl auth", fails: token }, { run: "doctl auth --context a" }]);
  expect(JSON.stringify(other?.errors)).not.toContain("dop_v");
});
