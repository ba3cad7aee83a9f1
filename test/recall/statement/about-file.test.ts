import { expect, test } from "bun:test";
import { fileAliases, hasName, statementsAboutFile } from "../../../src/recall/statement/about-file.ts";
import { composeText } from "../../../src/turn/text.ts";

const MATTER = {
  path: "src/net/upload.ts",
  words: new Map([
    ["gateway", 4],
    ["burst", 3],
    ["backoff", 3],
  ]),
};
const RULE = "The backoff in upload.ts must stay fixed, because the gateway bans bursts.";
const best = (pieces: Parameters<typeof composeText>[0]) =>
  statementsAboutFile(composeText(pieces), MATTER).map(({ kind, text }) => [kind, text]);

test("a reason about the file on the running matter", () => {
  expect(
    best([
      { kind: "prompt", text: "Go" },
      { kind: "answer", text: `Done. ${RULE}` },
    ]),
  ).toEqual([["answer", RULE]]);
});

test("what the user decided is the user's; a pasted plan is nobody's own words", () => {
  expect(
    best([
      { kind: "prompt", text: RULE },
      { kind: "answer", text: "Fine." },
    ]),
  ).toEqual([["prompt", RULE]]);
  const plan = `${"A step of the plan with its details. ".repeat(60)}\n${RULE}`;
  expect(
    best([
      { kind: "prompt", text: plan },
      { kind: "answer", text: "Fine." },
    ]),
  ).toEqual([]);
});

test("what was said between tool calls counts only where no answer follows", () => {
  expect(best([{ kind: "narration", text: RULE }])).toEqual([["narration", RULE]]);
  expect(
    best([
      { kind: "narration", text: RULE },
      { kind: "answer", text: "Done." },
    ]),
  ).toEqual([]);
});

test("a sentence that points back is told with the one before it", () => {
  const both = "The gateway bans bursts of the backoff in upload.ts. That is why the delay must stay fixed.";
  expect(best([{ kind: "answer", text: both }])).toEqual([["answer", both]]);
});

test.each([
  ["another matter", "The footer in upload.ts must stay small, because Outlook cuts long mails off."],
  ["another file", "The backoff in gateway.ts must stay fixed, because the gateway bans bursts."],
  ["no name at all", "The backoff must stay fixed for every client, because the gateway bans bursts."],
  [
    "an announced step",
    "Let me see why the backoff in upload.ts must stay fixed, because the gateway bans bursts.",
  ],
  ["a question", "Must the backoff in upload.ts stay fixed, because the gateway bans bursts?"],
  ["a guess", "Perhaps the backoff in upload.ts must stay fixed, because the gateway bans bursts."],
  ["a list of changes", "Updated upload.ts with a fixed backoff for bursts that the gateway does not ban."],
  ["no reason", "The file upload.ts has the backoff, the gateway and the bursts of the clients in it."],
])("%s is not told", (_what, text) => {
  expect(best([{ kind: "answer", text }])).toEqual([]);
});

test("few words in common with the running matter are chance", () => {
  const text =
    "The backoff in upload.ts must stay fixed, because Outlook cuts long mails off, splits their footers, and shows a gateway to nobody outside of Porto.";
  expect(best([{ kind: "answer", text }])).toEqual([]);
});

test("a file goes by its name, and by what stands before its ending where that is no common word", () => {
  expect(fileAliases("src/net/upload.ts")).toEqual(["upload.ts"]);
  expect(fileAliases("src/net/upload_queue.go")).toEqual(["upload_queue.go", "upload_queue"]);
  expect([hasName("see src/upload.ts:3", "upload.ts"), hasName("reupload.ts", "upload.ts")]).toEqual([
    true,
    false,
  ]);
});
