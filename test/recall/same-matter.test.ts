import { expect, test } from "bun:test";
import { isSamePrompt, promptReferences, promptsOf, sessionsByMatter } from "../../src/recall/same-matter.ts";
import { aTurn } from "./made.ts";

test.each([
  ["https://forge.example.com/me/app/issues/7340#issuecomment-508 Find the cause", ["#7340"]],
  ["review PR 12, and app#345 with it", ["#12", "#345"]],
  ["read https://docs.example.com/cache.html, then mend it", ["https://docs.example.com/cache.html"]],
  ["clone https://example.com and do step #1 of the list; &#39; is no issue", []],
])("%p names %p", (prompt, names) => {
  expect(promptReferences(prompt)).toEqual(names);
});

const ASKED =
  "Look into the leak of the kettle again and try to find what causes it. Ask Vera for her opinion.";

test("a prompt is the same with a few other words, but not with another name", () => {
  expect(isSamePrompt(ASKED, ASKED.replace("Vera", "Ida"))).toBe(true);
  expect(isSamePrompt(ASKED, ASKED.replace("kettle", "kettle-7"))).toBe(false);
  expect(isSamePrompt(ASKED, "Look into the leak of the lid and tell whether it needs another gasket.")).toBe(
    false,
  );
  expect(isSamePrompt("go on with the next task", "go on with the next task")).toBe(false);
});

test("sessions are found whose prompts say the same or name the same, unless many do", async () => {
  const asked = (turnId: number, sessionId: string, prompt: string) =>
    aTurn({ turnId, sessionId, text: `[User] ${prompt}\n\n[Assistant] See issue 99.` });
  const turns = [
    asked(1, "own", ASKED),
    asked(12, "own", "See issue 7340, and #41."),
    { ...asked(13, "summed", "Issue 7340 was discussed."), role: "compaction_summary" as const },
    asked(2, "again", ASKED),
    asked(3, "named", "Is issue 7340 mended?"),
    ...[4, 5, 6, 7, 8, 9, 10].map((id) => asked(id, `many${id}`, "Label #41 anew")),
    aTurn({ turnId: 11, sessionId: "said", text: "[Assistant] That is issue 7340." }),
  ];
  const search = {
    termTurns: async (terms: readonly string[]) =>
      new Map(
        terms.map((term) => [term, term === "7340" ? [3, 11, 12, 13] : turns.map(({ turnId }) => turnId)]),
      ),
    turns: async (ids: readonly number[]) => turns.filter(({ turnId }) => ids.includes(turnId)),
  };
  const prompts = await promptsOf(
    { sessionId: "own" },
    { browse: { turnsOf: async () => [{ turnId: 1 }, { turnId: 12 }] as never }, search },
  );
  expect(await sessionsByMatter(prompts, "own", {}, search)).toEqual(
    new Map([
      ["again", { names: [], samePrompt: true, worth: 1 }],
      ["named", { names: ["#7340"], samePrompt: false, worth: 1 }],
    ]),
  );
});
