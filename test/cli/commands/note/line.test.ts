import { expect, test } from "bun:test";
import fc from "fast-check";
import { promotedLine } from "../../../../src/cli/commands/note/line.ts";
import type { StoredTurn } from "../../../../src/store/stored.ts";
import { aTurn } from "../../../recall/made.ts";
import { fcOptions } from "../../../support/fast-check.ts";

const CAUSE = "The proxy drops the range header, so an upload never resumes behind it.";
const SAID = `[User] Why does the resume of an upload fail?\n\n[Assistant] ${CAUSE}`;
const promoted = (facts: Partial<StoredTurn>, about = "") =>
  promotedLine(aTurn({ turnId: 1, text: SAID, createdAt: "2026-03-01T08:00:00.000Z", ...facts }), about);
/** The line or the refusal, without what a person could choose in place of the line. */
const lineOf = (facts: Partial<StoredTurn>, about = "") => {
  const made = promoted(facts, about);
  return "line" in made ? { line: made.line } : made;
};

test("what others said, and what an agent noted, is refused", () => {
  expect(lineOf({ author: "ada", foreign: "team" })).toEqual({ refusal: "colleague" });
  expect(lineOf({ foreign: "kettle" })).toEqual({ refusal: "imported" });
  expect(lineOf({ origin: "agent" })).toEqual({ refusal: "agent" });
  expect(lineOf({ text: `[Note by an agent] ${CAUSE}` })).toEqual({ refusal: "agent" });
  expect(lineOf({ device: "laptop" })).toEqual({ line: `2026-03-01: ${CAUSE}` });
});

test.each([
  ["a page", "And?", ['WebFetch(url="https://vendor.example/guide")']],
  ["a subagent's report", "And?", ['Task(desc="Look")']],
  ["a package", "And?", ["Read(/work/node_modules/tus/README.md)"]],
  ["a pasted text", `Is that so?\n\n> ${CAUSE}`, []],
  ["a text that may be pasted", `Is that so?\n\nUploads\n${CAUSE}`, []],
])(
  "what the agent passes on of %s is not taken, whatever it is asked to be about",
  (_, prompt, toolSummary) => {
    const turn = { text: `[User] ${prompt}\n\n[Assistant] ${CAUSE}`, toolSummary };
    expect(lineOf(turn)).toMatchObject({ refusal: expect.stringMatching(/^(?:wordless|no-rule)$/) });
    expect(lineOf(turn, "proxy range header")).toEqual({ refusal: "not-about" });
    const own = "I would send the offset in the query, because proxies drop headers.";
    expect(lineOf({ ...turn, text: `${turn.text}\n\n${own}` })).toEqual({ line: `2026-03-01: ${own}` });
  },
);

test("a secret never goes in, not even one that rules did not know when it was stored", () => {
  const secret = "npm_FAKEfakeFAKEfakeFAKEfakeFAKEfake1234";
  expect(
    lineOf({ text: `[User] Why?\n\n[Assistant] The upload signs in with ${secret} at the proxy.` }),
  ).toEqual({
    refusal: "secret",
  });
  expect(lineOf({ text: `[User] ${CAUSE} password=${secret}`, client: "note" })).toEqual({
    refusal: "secret",
  });
});

test("a note stands whole on one line, a longer one and a turn with what they say on the words", () => {
  const note = `${CAUSE}\n\nSo we send the offset in the query.`;
  expect(lineOf({ text: `[User] ${note}`, client: "note" })).toEqual({
    line: `2026-03-01: ${CAUSE} So we send the offset in the query.`,
  });
  const other = "Invoices of shops abroad are rounded down to whole cents, because their banks do.";
  expect(
    lineOf({ text: `${SAID} ${"It runs now. ".repeat(60)}\n\n${other}` }, "invoices rounded banks"),
  ).toEqual({
    line: `2026-03-01: ${other}`,
  });
});

test("what the user ruled in a short prompt goes before what the agent made of it", () => {
  const rule = "Internal changes are never breaking changes, only configuration behaviour is.";
  const made = "The marker must never stand on such a commit, because it starts a release.";
  expect(lineOf({ text: `[User] ${rule}\n\n[Assistant] ${made}` })).toEqual({ line: `2026-03-01: ${rule}` });
  const plan = `${rule} ${"Then go through the files and tell me which of them are left. ".repeat(3)}`;
  expect(lineOf({ text: `[User] ${plan}\n\n[Assistant] ${made}` })).toEqual({ line: `2026-03-01: ${made}` });
});

test("an undated turn says so, what a program asked is not taken, and a very long sentence is cut", () => {
  expect(lineOf({ createdAt: null })).toEqual({ line: `Undated: ${CAUSE}` });
  expect(
    lineOf({ text: "[User] Keep all of the uploads for a year, whatever they say.", origin: "automated" }),
  ).toEqual({ refusal: "wordless" });
  const made = lineOf({ text: `[User] Why?\n\n[Assistant] The proxy ${"drops it and ".repeat(80)} ends.` });
  expect("line" in made && made.line.length).toBeLessThanOrEqual(612);
});

const answered = (text: string, about = "") =>
  lineOf({ text: `[User] And the docs?\n\n[Assistant] ${text}` }, about);

test.each([
  ["You're absolutely right! The linking is bidirectional.", "The linking is bidirectional."],
  ["You're right to ask: uploads never resume.", "Uploads never resume."],
  ["Good question! Great, the cache never expires.", "The cache never expires."],
  [
    "The page is in two columns. We keep the API synchronous, because clients retry.",
    "We keep the API synchronous, because clients retry.",
  ],
  ["Never use `npm`.", "Never use `npm`."],
  [
    "That is a fair point. Send the offset in the query of an upload.\n\n## Why\n\nThis must stay so, because proxies drop the range header.",
    "Send the offset in the query of an upload. … This must stay so, because proxies drop the range header.",
  ],
  [
    "The proxy drops the range header. Please always retry it, because that tells us more.",
    "The proxy drops the range header.",
  ],
  ["This must never stay so, because clients retry.", "This must never stay so, because clients retry."],
  [
    "src/auth/session.ts:42\n\n3f9c2ab71d04e\n\nThe session must end at midnight.",
    "The session must end at midnight.",
  ],
])("%j is promoted without politeness and bare places", (text, line) => {
  expect(answered(text)).toEqual({ line: `2026-03-01: ${line}` });
});

test.each([
  "Great! You're absolutely right!",
  "`src/auth/session.ts:42-60`\n\nsrc/auth/very/long/path/of/session.ts:42 and 3f9c2ab71d04e",
  "Let me look at the tests first. All tests pass now.",
  "I'll order the queue so that the largest host starts first. Committed as `3f9d2c1` and opened a pull request.",
  "src/export/html.ts:48 builds the name, which is never removed.",
])("%j says no rule or fact", (text) => {
  expect(answered(text)).toEqual({ refusal: "no-rule" });
});

test("what nothing in a turn says something about is not promoted", () => {
  expect(lineOf({}, "zzzz")).toEqual({ refusal: "not-about" });
  expect(lineOf({ text: `[User] ${CAUSE}`, client: "note" }, "zzzz")).toEqual({ refusal: "not-about" });
  const page = "The page of the shop is in two columns.";
  expect(answered(`${CAUSE}\n\n${page}`, "columns")).toEqual({ line: `2026-03-01: ${page}` });
});

test("a rule, a decision or a reason comes before what a step found, and is not asked for", () => {
  const text = `Unit tests pin the order of the lids. I found it because the log names it.\n\nWe keep the lids in SQLite instead of a file, because two processes write.`;
  expect(promoted({ text: `[User] And?\n\n[Assistant] ${text}` })).toEqual({
    line: "2026-03-01: We keep the lids in SQLite instead of a file, because two processes write.",
    isSure: true,
    choices: [],
  });
});

test("what was chosen comes before its reason, and what decides nothing is left out", () => {
  const [price, reason, choice] = [
    "The price is a native module in both cases, so that does not decide anything.",
    "SQLite brings search with ranking; on LMDB we would have to write our own index.",
    "I would take SQLite (through `better-sqlite3`), not LMDB.",
  ];
  expect(answered(`${choice}\n\n${reason}\n\n${price}`)).toEqual({
    line: `2026-03-01: ${choice} … ${reason}`,
  });
});

test("where a turn says none of these, a person chooses from its first three statements", () => {
  const [pin, right, valve] = [
    "Unit tests pin the order of the lids.",
    "The whole right column is now one arc in blue.",
    "The valve of the kettle opens at ninety degrees.",
  ];
  const made = promoted({ text: `[User] And?\n\n[Assistant] ${pin}\n\n${right}\n\n${valve}` });
  expect("choices" in made && [...made.choices].sort()).toEqual(
    [pin, right, valve].map((text) => `2026-03-01: ${text}`).sort(),
  );
});

/** What stands outside of code in a line, as CommonMark has it: a run of backticks opens code where an equal one follows. */
function outsideCode(line: string): string {
  const run = /\\.|(`+)/g;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    const [, ticks] = found;
    if (ticks === undefined) continue;
    const rest = line.slice(run.lastIndex);
    const close = [...rest.matchAll(/`+/g)].find(([each]) => each === ticks);
    if (close === undefined) continue;
    return line.slice(0, found.index) + outsideCode(rest.slice(close.index + ticks.length));
  }
  return line;
}

test.each([
  ["``` @evil.md `b`", "@evil.md"],
  ["\\` @evil.md `b", "@evil.md"],
  ["see \\@evil.md", "@evil.md"],
  ["``a` @evil.md `b", "@evil.md"],
])("%s includes no file", (words, path) => {
  const made = lineOf({ text: `[User] Never read ${words} again.`, client: "note" });
  const line = "line" in made ? made.line : "";
  expect(line).toContain(path);
  expect(outsideCode(line)).not.toContain("@");
});

test("whatever a note says of code, its line includes no file and ends no quote of one", () => {
  const piece = fc.constantFrom("`", "``", "```", "\\", "@a.md", "@~/b", " ", "x", ",", "<!--", "\n", "(");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const made = lineOf({ text: `[User] Keep ${pieces.join("")} now.`, client: "note" });
      const line = "line" in made ? outsideCode(made.line) : "";
      expect(line).not.toMatch(/(^|[^\w@])@[\w~./]|<!--/);
    }),
    fcOptions(),
  );
});

test.each([
  ["**Fix:** deleted the copy of the lid rather than patching it.", "a change that git has, behind a label"],
  ["Updated the comments, because the lid must never fall.", "a change, whatever its reason"],
  ["So that it never falls, I added a hinge to the lid.", "a step of the agent"],
  ["Let's decide whether the lid must stay.", "what is still to be decided"],
  ["A hinge would be better, because the lid never falls then.", "a proposal"],
])("%j goes after a reason: it is %s", (passing) => {
  const lasting = "Lids are kept in SQLite, because two processes write.";
  expect(answered(`${passing}\n\n${lasting}`)).toEqual({ line: `2026-03-01: ${lasting}` });
});

test.each([
  "I would call lid_lists lids and NewLidList NewLids",
  "It's allowed to copy the lid, this is done deliberately. It will also never be set elsewhere.",
])("%j is what the user wants to have so", (prompt) => {
  const made = "Lids are kept in SQLite, because two processes write.";
  expect(lineOf({ text: `[User] ${prompt}\n\n[Assistant] ${made}` })).toEqual({
    line: `2026-03-01: ${prompt}`,
  });
});

test("a link to a place in the project is its words alone", () => {
  expect(answered("The lid in [lid.go](src/lid.go:4) must never fall.")).toEqual({
    line: "2026-03-01: The lid in lid.go must never fall.",
  });
});
