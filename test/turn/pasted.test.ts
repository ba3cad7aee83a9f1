import { expect, test } from "bun:test";
import { findOthers, ownWords } from "../../src/turn/pasted.ts";
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
    const sentences = splitSentences(promptOf(typed)).filter(({ kind }) => kind === "prompt");
    expect(sentences.filter(({ text }) => text.includes(STRANGER))).toEqual([]);
    expect(sentences.map(({ text }) => text)).toContain(OWN);
    expect(ownPromptText(typed)).not.toContain(STRANGER);
    expect(ownPromptText(typed)).toStartWith("Check the release steps");
    expect(turnTitle(promptOf(typed), null)).not.toContain(STRANGER);
  },
);

test.each(RULINGS)("the user rules: %s", (ruling) => {
  const ruled = ruling.replace(/\n\n?(?:```|>|2026-)[\s\S]*$/, "");
  const said = splitSentences(promptOf(ruling)).flatMap(({ kind, text }) => (kind === "prompt" ? text : []));
  expect(said.filter((sentence) => ruled.includes(sentence) && /\p{L}/u.test(sentence))).not.toEqual([]);
});

test("a prompt that is nothing but pasted is told as such", () => {
  const pasted = `> ${STRANGER}.`;
  expect(findOthers(pasted)).toEqual([{ start: 0, end: pasted.length, by: "pasted" }]);
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

test("a paragraph that is written in another way than the request is what that is about", () => {
  const text = `${STRANGER} on all days, says the depot's lead.`;
  expect(ownWords(`which gate is meant\n\n${text}`)).toBe("which gate is meant");
  expect(ownWords(`${text}\n\nwhich gate is meant`)).toBe("which gate is meant");
  const own = "We keep the gate of the depot shut on all days.\n\nwhich gate is meant";
  expect(ownWords(own)).toBe(own);
});

test("the question behind a quotation or a paste is the user's, also on its lines", () => {
  expect(ownWords(`Der Kunde schreibt: „${STRANGER}.“ Was passiert dann?`)).toBe(
    "Der Kunde schreibt:  Was passiert dann?",
  );
  expect(ownWords(`Jon commented on line 40: ${STRANGER}. Is he right?`)).toBe(
    "Jon commented on line 40:  Is he right?",
  );
  expect(ownWords(`[10:02] jon: hm\n[10:03] jon: ${STRANGER}\n\nwhat is a mirror?`)).toBe(
    "what is a mirror?",
  );
  expect(ownWords(`reviewer wrote on my PR:\nsrc/a.ts line 4\n${STRANGER}.\nis that so?`)).toBe(
    "reviewer wrote on my PR:\n\nis that so?",
  );
});

test("a ruling below a paste that names itself one is the user's", () => {
  const prompt = "Load: 96 % (+12 %)\nqueue.log 1.3 GB\nmy ruling: the queue keeps two days";
  expect(ownWords(prompt)).toContain("my ruling: the queue keeps two days");
});

test("a plan that the user accepted asks about nothing, whatever its headings say", () => {
  const plan = "Implement the following plan:\n\n# Plan\n\nThe depot gets a second gate.\n\nsummarise this";
  expect(ownWords(plan)).toBe(plan);
});

test.each([
  "Convert the repo to ESM.\n\nThe minimum Node version stays at 20 for all of the packages here.",
  "Translate the UI to German.\n\nThe formal address is mandatory in all dialogs of the shop.",
  "Fix the spelling in the docs.\n\nKeep the British spelling everywhere, and the old names of settings.",
  "Rules for this repo:\n\n* use pnpm, never npm;\n* keep the node version at 20;\n* no default exports;",
  "retries: 5\ntimeout: 30\nbackend: true",
  "Rewrite the queue so it uses Postgres: Keep Redis for the cache only.",
])("the user's own rules beside a request about the project are theirs: %j", (prompt) => {
  expect(ownWords(prompt)).toBe(prompt);
});

test("a letter is its writer's up to the name below its closing, whatever a paragraph says", () => {
  const mail =
    "Hello,\n\nour adapter drops frames.\n\nOur rule: the adapter always uses port 99.\n\nRegards\nVera";
  expect(ownWords(`Got this mail from the vendor:\n\n${mail}`)).toBe("Got this mail from the vendor:");
  const ticket = `Here is the ticket:\n\nThe export fails.\n\nOur rule: ${STRANGER}.\n\nPlease fix this by always signing.`;
  expect(ownWords(ticket)).toBe("Here is the ticket:");
  const answered = "Here is the ticket:\n\nThe export fails.\n\nWe won't mend it: the export goes.\n\nthanks";
  expect(ownWords(answered)).toContain("the export goes");
});

test.each([
  "which of these do we break?\n\nPlatform principles\n- STRANGER\n- no shared databases",
  "can you check if this is still true\nThe gateway drops idle connections.\nSTRANGER.",
  "The gateway drops idle connections.\nSTRANGER.\nis that what we do?",
  "Export fails\n\nWhen I export I get a 500.\nIt used to work.\n\nOur rule: STRANGER.\n\nPlease fix this by always using the mirror.",
  "look at this please:\n\nHello team,\nthe sync fails.\n\nPlease fix this: STRANGER.",
  "what should i reply?\n\nhi, quick heads up: STRANGER, and the old one is read only from then. can you adapt your jobs by then? thx, Bea",
  "tell me how urgent this mail is, it is the following\n\nOur gate is stuck.\nI want it mended before noon.\nSTRANGER.",
  "Kofi: how do you deploy?\nLena: STRANGER\nKofi: even at night?\nLena: yes, we never skip it",
  "is this in our backlog?\n\nAs a guard\nI want that STRANGER\nso that nobody waits",
  "Interviewer: how do you deploy?\nCandidate: STRANGER\nInterviewer: thanks\n\nrate the answers",
  "The queue fails.\nWhat do you propose for the retry queue?\nSTRANGER.",
  "To do\n- [ ] STRANGER\n- [ ] oil the gate",
])("several lines beside other words may be anybody's: %j", (prompt) => {
  const typed = prompt.replace("STRANGER", STRANGER);
  const at = typed.indexOf(STRANGER);
  const range = findOthers(typed).find(({ start, end }) => start <= at && at < end);
  expect(range?.by).toBe("unsure");
  const sentences = splitSentences(promptOf(typed)).filter(({ text }) => text.includes(STRANGER));
  expect(sentences.map(({ kind }) => kind)).toEqual(["unsure"]);
  expect(ownWords(typed)).not.toContain(STRANGER);
});

test("what Claude Code says in the user's name where a hook refuses a prompt is not surely the user's", () => {
  const refused = "Operation stopped by hook: Another session is active. Commit its changes first.";
  expect(ownWords(refused)).toBe("");
  expect(ownWords(`why do I get this? ${refused}`)).toContain("why do I get this?");
});

test("the only words of a prompt are listed as what they may be", () => {
  const list = `Release\n- ${STRANGER}\n- The gate is queued`;
  expect(askedOrPasted(list)).toStartWith("Typed or pasted: Release");
});

test.each([
  "Some rules:\n- never commit generated files\n- one migration for each change",
  "Fix the upload test.\nDo not raise the timeout, find the cause.",
  "the naming is still wrong\nit is called a voucher\nin the code and in the pages",
  "I decided about the cache.\nIt lives in memory only, 200 entries.",
  "For pages:\n\n1. cursors only, no page numbers\n2. at most 200",
  "Three things.\n\nYou propose a gate for each quay.\nI don't want that, the crew cannot watch so many.\n\nDraw the plan again.",
  "생각을 바꿨어. 항상 Default를 추가할 것.\n\n기본은 new()를 만들 것.\n예외는 없음.",
])("lines in which the user speaks are theirs: %j", (prompt) => {
  expect(ownWords(prompt)).toBe(prompt);
});
