import { expect, test } from "bun:test";
import { findOthers } from "../../src/turn/pasted.ts";
import { splitSentences } from "../../src/turn/sentences.ts";
import { composeText } from "../../src/turn/text.ts";
import { ownPromptText, turnTitle } from "../../src/turn/title.ts";
import { hashWording } from "../../src/turn/wording.ts";

/** As much of a prompt as is looked at. Anybody may write it: a colleague, an import, who is pasted. */
const CHARS = 60_000;
/** What grows with the square of the lines takes thousands of times as long as this. */
const MAX_TIMES = 500;
const PROSE = "We keep the importer as simple as it can be. ";

/** Lines that may start what another line ends, and of which the other never comes. */
const LINES = [
  ...["{\n", "[\n", '"a\n', "“a\n", 'a"""\n', "```\na\n", "<a>\n", "<a b>x\n", "a <b>\n", "a ```\n"],
  ...[
    "    a\nb\n",
    "dear bob,\n",
    "best\n\n",
    "here is the log:\n",
    "From: x\nTo: y\n\n",
    "ab: c\n",
    "[ab]:\n",
  ],
  ...[
    "---\nfix this\n",
    "\n\nQuestion: a\nAnswer: b",
    "\n\n Question: a\nAnswer: b",
    " Question: a\n",
    "[User] a\n",
    "\n[User] ",
    "\n\nQuestion: ",
    'he says "a b c d e" ',
    "he says 'a b c\n",
    "'a b\n",
    "Q: a\n",
    "user: a\n",
    "- ab: c\n",
    "ab> c\n",
    "Ab Cd\n",
    "### status: x\n",
  ],
];

const READERS: [string, (text: string) => unknown][] = [
  ["what is pasted", findOthers],
  ["what is asked", ownPromptText],
  ["the title", (text) => turnTitle(promptOf(text), null)],
  ["the sentences", (text) => splitSentences(promptOf(text))],
  ["the wording", (text) => hashWording(promptOf(text))],
];

function promptOf(text: string) {
  return composeText([{ kind: "prompt", text }]);
}

function workMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function ofLines(line: string): string {
  return line.repeat(Math.ceil(CHARS / line.length)).slice(0, CHARS);
}

test.each(READERS)("%s of a prompt is read in time that grows with its length", (_, read) => {
  const prose = ofLines(PROSE);
  const usual =
    workMs(() => Array.from({ length: 20 }, () => findOthers(prose) && splitSentences(promptOf(prose)))) / 20;
  const slow = LINES.filter((line) => {
    const text = ofLines(line);
    return ![1, 2, 3].some(() => workMs(() => read(text)) <= MAX_TIMES * usual);
  });
  expect(slow).toEqual([]);
});
