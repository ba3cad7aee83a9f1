import { expect, test } from "bun:test";
import { renderOtherHistories } from "../../../../src/cli/commands/enable/other-histories.ts";

test("a history that may be another's is taken over by a command that is ready to run", () => {
  const other = {
    root: "/home/me/old app",
    isGone: false,
    kinship: "unsure",
    memory: null,
    sessions: 2,
  } as const;
  const shown = renderOtherHistories({ found: [other], taken: [], left: [] }, null, false);
  expect(shown).toContain("mementor enable --adopt-from '/home/me/old app' takes over that one\n");
});
