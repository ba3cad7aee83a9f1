import { expect, test } from "bun:test";
import { findPasted, ownWords } from "../../src/turn/pasted.ts";
import { splitSentences } from "../../src/turn/sentences.ts";
import { composeText } from "../../src/turn/text.ts";
import { askedOrPasted, ownPromptText, turnTitle } from "../../src/turn/title.ts";
import { PASTES, RULINGS, STRANGER } from "../support/strangers.ts";

const OWN = "Check the release steps for the depot.";

function promptOf(prompt: string) {
  return composeText([{ kind: "prompt", text: prompt }]);
}

test.each(PASTES)(
  "%s: what a stranger wrote is not the user's, and the user's own words stay",
  (_, prompt) => {
    const typed = prompt.replaceAll("OWN", OWN);
    expect(ownWords(typed)).not.toContain(STRANGER);
    const sentences = splitSentences(promptOf(typed)).map(({ text }) => text);
    expect(sentences.filter((sentence) => sentence.includes(STRANGER))).toEqual([]);
    expect(sentences).toContain(OWN);
    expect(ownPromptText(typed)).not.toContain(STRANGER);
    expect(ownPromptText(typed)).toStartWith("Check the release steps");
    expect(turnTitle(promptOf(typed), null)).not.toContain(STRANGER);
  },
);

test.each(RULINGS)("the user rules: %s", (ruling) => {
  const ruled = ruling.replace(/\n\n?(?:```|>|2026-)[\s\S]*$/, "");
  const said = splitSentences(promptOf(ruling)).map(({ text }) => text);
  expect(said.filter((sentence) => ruled.includes(sentence) && /\p{L}/u.test(sentence))).not.toEqual([]);
});

test("a prompt that is nothing but pasted is told as such", () => {
  const pasted = `> ${STRANGER}.`;
  expect(findPasted(pasted)).toEqual([{ start: 0, end: pasted.length }]);
  expect(ownPromptText(pasted)).toBe("");
  expect(askedOrPasted(pasted)).toBe(`Pasted: ${STRANGER}.`);
  expect(turnTitle(promptOf(pasted), null)).toBe(`Pasted: ${STRANGER}.`);
});

test("what the agent asked and the user answered stays the user's, below whatever was pasted", () => {
  const prompt = `Here is the mail:\n\n${STRANGER}.\n\nQuestion: Which mirror?\nAnswer: None at all`;
  expect(splitSentences(promptOf(prompt)).map(({ text }) => text)).toEqual([
    "Here is the mail:",
    "Question: Which mirror?\nAnswer: None at all",
  ]);
});
