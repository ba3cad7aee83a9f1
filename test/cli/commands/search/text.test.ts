import { expect, test } from "bun:test";
import { renderHits } from "../../../../src/cli/commands/search/text.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";
import { aTurn } from "../../../recall/made.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: 60,
  now: new Date("2026-03-04T12:00:00Z"),
};

/** The lines below the title and the facts of one result with this passage. */
function saidLines(passage: string): string[] {
  const turn = aTurn({ turnId: 7, text: "[User] How are the sessions drawn in the list?" });
  const hit = {
    ...{ turn, distance: 0.2, score: 1, sources: ["keyword" as const] },
    quoted: () => ({ statement: null, passage }),
    confidence: "likely" as const,
  };
  const shown = { hits: [{ hit, words: [], outcome: undefined }], confidence: "likely" as const };
  return renderHits(shown, SCREEN).trimEnd().split("\n").slice(2);
}

test("no line of a result is lost to a fence or to brackets alone", () => {
  expect(saidLines("```json\n{\n  lanes: three\n}\n```\nEach lane is a session.")).toEqual([
    "      lanes: three",
    "    Each lane is a session.",
  ]);
  expect(saidLines("```\n{}\n```")).toEqual(["    ```", "    {} …"]);
});
