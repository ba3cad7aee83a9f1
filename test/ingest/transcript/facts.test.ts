import { expect, test } from "bun:test";
import { FactCollector } from "../../../src/ingest/transcript/state.ts";
import { sessionName } from "../../../src/turn/title.ts";

test.each([
  [["8", "q", "the ninth"], [], "the ninth", null],
  [["CI"], ["9", "q", "1."], "CI", null],
  [["猫"], ["v2", "Fix CI"], "猫", "Fix CI"],
  [["/ 2"], [], null, null],
] as const)(
  "of the prompts %j and the titles %j, a choice such as 8 or q names no session",
  (said, given, prompt, title) => {
    const facts = new FactCollector([], (text) => text);
    for (const text of said) facts.firstPrompt("s1", text);
    for (const text of given) facts.title("s1", "ai-title", text);
    expect(facts.all().map(({ firstPrompt, title: named }) => [firstPrompt, named])).toEqual([
      [prompt, title],
    ]);
  },
);

test("a title that an older version stored and that names nothing gives way to the first prompt", () => {
  expect(sessionName({ title: "8", firstPrompt: "Fix the kettle" })).toBe("Fix the kettle");
  expect(sessionName({ title: "8", firstPrompt: null })).toBe("8");
});
