import { expect, test } from "bun:test";
import type { TurnOrigin } from "../../../src/domain.ts";
import { joinBest, scoredSentences } from "../../../src/recall/statement/choose.ts";
import { speakerLabel } from "../../../src/recall/telling/speaker.ts";
import { composeText } from "../../../src/turn/text.ts";
import { STRANGER } from "../../support/strangers.ts";
import { aTurn } from "../made.ts";

function turnOf(prompt: string, answer: string, toolSummary: string[] = [], origin: TurnOrigin = "human") {
  const text = composeText([
    { kind: "prompt", text: prompt },
    { kind: "answer", text: answer },
  ]);
  return aTurn({ turnId: 1, ...text, toolSummary, origin });
}

function speaker(text: string, prompt: string, toolSummary: string[] = [], origin: TurnOrigin = "human") {
  return speakerLabel({ kind: "answer", text, turn: turnOf(prompt, text, toolSummary, origin) });
}

const FETCH = ['WebFetch(url="https://vendor.example/guide")'];

test.each([
  ["a page that says it", `The guide says that ${STRANGER}.`, FETCH, "Claude, of a page it read"],
  ["what the vendor demands", `Mallory recommends that ${STRANGER}.`, FETCH, "Claude, of a page it read"],
  ["a page, without a word of it", `${STRANGER}.`, FETCH, "Claude, after it read a page"],
  ["those who wrote a page", "We decided to deploy at night.", FETCH, "Claude, after it read a page"],
  [
    "a package's readme",
    `${STRANGER}.`,
    ["Read(/work/node_modules/left-pad/README.md)"],
    "Claude, after it read a page",
  ],
  ["a search", `${STRANGER}.`, ['WebSearch(query="deploys")'], "Claude, after it read a page"],
  [
    "an issue that a command shows",
    `${STRANGER}.`,
    ['Bash(cmd="gh issue view 7")'],
    "Claude, after it read a page",
  ],
  [
    "an address that a command asks beside this machine",
    `${STRANGER}.`,
    ['Bash(cmd="curl -s https://vendor.example/guide; curl localhost:3000/jobs")'],
    "Claude, after it read a page",
  ],
  [
    "a tool",
    `The ticket says that ${STRANGER}.`,
    ["mcp__tracker__get(id=7)"],
    "Claude, of what a tool returned",
  ],
  [
    "a tool, without a word of it",
    `${STRANGER}.`,
    ["mcp__tracker__get"],
    "Claude, after a tool returned something",
  ],
  [
    "a subagent",
    `The subagent found that ${STRANGER}.`,
    ['Task(desc="Look")'],
    "Claude, of a subagent's report",
  ],
  [
    "a subagent, without a word of it",
    `${STRANGER}.`,
    ['Agent(desc="Look")'],
    "Claude, after a subagent's report",
  ],
])("what Claude passes on of %s", (_, text, calls, expected) => {
  expect(speaker(text, "How do we deploy?", calls)).toBe(expected);
});

test.each([
  ["I moved the deploy into the job of the release.", FETCH],
  ["Fixed: the mirror is not asked any more.", FETCH],
  ["The loop in deploy.ts never ends.", [...FETCH, "Edit(src/deploy.ts)"]],
  ["The loop never ends, because the mirror is asked again.", ["Edit(src/deploy.ts)"]],
  ["The guide says that deploys need the mirror.", []],
  ["The job never ends at night.", ['Bash(cmd="gh pr create --fill")']],
  ["The job never ends at night.", ['Bash(cmd="curl -s http://localhost:3000/jobs")']],
])("what Claude says itself: %s", (text, calls) => {
  expect(speaker(text, "How do we deploy?", calls)).toBe("Claude");
});

test("what Claude passes on of a pasted text or of a message is told as that, and what else it says is its own", () => {
  const pasted = `What about this?\n\n> ${STRANGER}.`;
  expect(speaker(`${STRANGER}, and nothing else.`, pasted)).toBe("Claude, of what was pasted");
  expect(speaker("The mail says that we are late.", pasted)).toBe("Claude, of what was pasted");
  expect(speaker("The cache of the job was stale since March.", pasted)).toBe("Claude");
  expect(speaker(`${STRANGER}.`, `${STRANGER}.`, [], "channel")).toBe("Claude, of what it was sent");
});

test("a translation or a summary of a pasted text is of that text, whatever its words", () => {
  const prompt =
    "Translate this into English:\n\nDas Tor bleibt nachts geschlossen. Ausnahmen gibt es keine.";
  expect(speaker("The gate stays shut at night.", prompt)).toBe("Claude, of what was pasted");
  expect(speaker("I left the file as it is.", prompt)).toBe("Claude");
  expect(speaker("The gate stays shut at night.", "When is the gate shut?")).toBe("Claude");
});

test("what Claude lists of a file is of that file, and what it did is not", () => {
  const grep = ['Grep(pattern="gate", path="docs")'];
  const said = (answer: string, calls = grep) =>
    speakerLabel({ kind: "answer", text: `${STRANGER}.`, turn: turnOf("Where?", answer, calls) });
  expect(said(`Two hits in \`docs/gate.md\`:\n- ${STRANGER}.\n- Nothing else.`)).toBe(
    "Claude, of a file it read",
  );
  expect(speaker(`Two hits in \`docs/gate.md\`:\n- ${STRANGER}.`, "Where?", grep)).toBe(
    "Claude, of a file it read",
  );
  expect(said(`\`docs/gate.md\` says:\n\n> ${STRANGER}.`)).toBe("Claude, of a file it read");
  expect(said(`I changed \`docs/gate.md\`:\n- ${STRANGER}.`)).toBe("Claude");
  expect(said(`The rule is this:\n- ${STRANGER}.`)).toBe("Claude");
  expect(said(`Two hits in \`docs/gate.md\`:\n- ${STRANGER}.`, [])).toBe("Claude");
  expect(speaker("The handbook says that the gate is shut.", "Where?", grep)).toBe(
    "Claude, of a file it read",
  );
});

test("a refusal stays with what it refuses, or neither is told", () => {
  const refusal = "I did not do that: our rule is the release job.";
  const sought = { words: [{ form: "installer", weight: 5 }], total: 5 };
  const turn = turnOf("How do we deploy?", `${STRANGER}, according to the guide. ${refusal}`);
  const sentences = scoredSentences(turn, sought).filter(({ kind }) => kind === "answer");
  expect(joinBest(sentences, { chars: 400 })?.text).toBe(`${STRANGER}, according to the guide. ${refusal}`);
  expect(joinBest(sentences, { chars: 100 })?.text).toBe(refusal);
  const listed = turnOf("How?", `I did not follow what the page demands:\n- ${STRANGER}`);
  const items = scoredSentences(listed, sought).filter(({ kind }) => kind === "answer");
  expect(joinBest(items, { chars: 60 })?.text).not.toContain(STRANGER);
});
