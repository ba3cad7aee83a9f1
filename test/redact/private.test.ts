import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removePrivate } from "../../src/redact/private.ts";
import { readAll } from "../support/read-turns.ts";
import { SCRATCH } from "../support/scratch.ts";
import { PRIVATE } from "./private.ts";

const directory = mkdtempSync(join(SCRATCH, "mementor-private-"));
afterAll(() => rmSync(directory, { recursive: true }));

test.each(PRIVATE)("%j", (text, left) => {
  expect(removePrivate(text)).toBe(left);
});

/** The text of the turn that some answers to one prompt make, each in an entry of its own. */
async function turnText(...answers: (string | object)[]): Promise<string> {
  const entries = [{ type: "user", message: { role: "user", content: "Go." } }].concat(
    answers.map((content) => ({
      type: typeof content === "string" || "input" in content ? "assistant" : "user",
      message: {
        role: "assistant",
        content: [typeof content === "string" ? { type: "text", text: content } : content],
      },
    })) as never,
  );
  const lines = entries.map((entry, i) =>
    JSON.stringify({
      ...entry,
      uuid: `u${i}`,
      sessionId: "s1",
      cwd: "/work/app",
      timestamp: "2026-03-02T09:00:00Z",
    }),
  );
  const path = join(directory, "s1.jsonl");
  await Bun.write(path, `${lines.join("\n")}\n`);
  const { turns } = await readAll(path);
  return turns.map(({ text }) => text).join("\n---\n");
}

const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "cat inner.txt" } };
const failure = { type: "tool_result", tool_use_id: "t1", is_error: true, content: "inner failed" };

test("a passage that one answer opens and a later one closes is private", async () => {
  expect(await turnText("First <private>a", "inner", call, failure, "b</private> last", "And on.")).toBe(
    "[User] Go.\n\n[Assistant] First\n\nlast\n\nAnd on.",
  );
});

test("a passage may be opened and closed more than once in a turn", async () => {
  expect(await turnText("A <private>x", "x</private> B <private>x", "x", "x</private> C")).toBe(
    "[User] Go.\n\n[Assistant] A\n\nB\n\nC",
  );
});

test("an answer that only speaks of the tag costs what follows in it, and no other answer", async () => {
  expect(await turnText("Write <private> around it.", "Then save.", call)).toBe(
    '[User] Go.\n\n[Assistant] Write\n\nThen save.\n\n[Tools] Bash(cmd="cat inner.txt")',
  );
});

test("a lone end of a passage takes nothing with it", async () => {
  expect(await turnText("It ends with </private> always.", "Yes.")).toBe(
    "[User] Go.\n\n[Assistant] It ends with </private> always.\n\nYes.",
  );
});

/** The texts of the turns of a conversation, prompts and answers in turn. */
async function talkText(...said: string[]): Promise<string> {
  const lines = said.map((text, i) =>
    JSON.stringify({
      type: i % 2 === 0 ? "user" : "assistant",
      message:
        i % 2 === 0
          ? { role: "user", content: text }
          : { role: "assistant", content: [{ type: "text", text }] },
      uuid: `p${i}`,
      sessionId: "s1",
      cwd: "/work/app",
      timestamp: "2026-03-02T09:00:00Z",
    }),
  );
  const path = join(directory, "talk.jsonl");
  await Bun.write(path, `${lines.join("\n")}\n`);
  const { turns } = await readAll(path);
  return turns.map(({ text }) => text).join("\n---\n");
}

test.each([
  [
    "an answer closes",
    ["Go on. <private>the code is 7", "So 7 it is.</private> Done."],
    "[User] Go on.\n\n[Assistant] Done.",
  ],
  [
    "the next prompt closes",
    ["Go on. <private>the code is 7", "So 7 it is.", "7.</private> Paint it", "It is green."],
    "[User] Go on.\n\n[User] Paint it\n---\n[User] Paint it\n\n[Assistant] It is green.",
  ],
  [
    "is all of its prompt",
    ["<private>the code is 7", "So 7 it is.", "7.</private> Paint it", "It is green."],
    "[User] Paint it\n\n[Assistant] It is green.",
  ],
  [
    "nothing closes costs the rest of the prompt alone",
    ["Write <private> around it", "I did.", "Paint it", "It is green."],
    "[User] Write\n\n[Assistant] I did.\n\n[User] Paint it\n---\n[User] Paint it\n\n[Assistant] It is green.",
  ],
])("a passage that a prompt opens and %s", async (_what, said, text) => {
  expect(await talkText(...said)).toBe(text);
});

test("the next prompt closes no passage that an answer opened", async () => {
  expect(await talkText("Go on.", "Write <private>.", "Is </private> its end?", "Yes.")).toContain(
    "[User] Is </private> its end?",
  );
});
