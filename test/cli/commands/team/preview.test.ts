import { expect, test } from "bun:test";
import { previewJson, renderSharedTurn, renderTeamPreview } from "../../../../src/cli/commands/team/share.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";
import type { TeamTurn } from "../../../../src/store/team.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, {}),
  width: 100,
  now: new Date("2026-03-04T12:00:00Z"),
  program: "mementor",
};

const TEXT = "[User] Use the key [redacted:github-token]\n\n[Assistant] Done.";
const TURN: TeamTurn = {
  text: TEXT,
  parts: [
    { kind: "prompt", start: 7, end: 42 },
    { kind: "answer", start: 56, end: 61 },
  ],
  session: {
    ...{ sessionId: "1b7c0a52", client: "claude-code", automated: false, branch: "main" },
    ...{ startedAt: "2026-03-01T09:00:00Z", endedAt: "2026-03-01T09:05:00Z" },
    opening: { title: "Keys", titleSource: "summary", firstPrompt: "Use the key", links: [] },
  },
  ...{ agentId: null, subagent: null, isSidechain: false, origin: "human" },
  toolSummary: ["Edit(src/keys.ts)"],
  mentions: [{ filePath: "src/keys.ts", toolName: "Edit" }],
  commits: [{ hash: "3f9d2c1", message: "feat: keys" }],
  ...{ createdAt: "2026-03-01T09:00:00Z", endedAt: "2026-03-01T09:05:00Z", branch: "main" },
  ...{ model: "claude", clientVersion: "2.1.0", promptUuid: null, chunks: [], vectorModel: null },
};
const SHOWN = { turnId: 7, turn: TURN, storedChars: TEXT.length + 12, isShared: true };

test("a list of what would leave, and of what stays", () => {
  expect(
    renderTeamPreview({ leaving: [7], shared: 1, staying: { muted: 1, imported: 2 } }, [SHOWN], SCREEN),
  ).toBe(`TURN  TIME              BRANCH  TAKEN OUT                SHARED  PROMPT
   7  1 Mar 2026 09:00  main    1 secret, 12 characters  yes     Use the key [redacted:github-token]
1 turn would be with the team, 1 of them already. To see a whole turn: mementor team preview <turn>
These stay here:
  1 turn muted or taken back
  2 turns imported from elsewhere
`);
  expect(renderTeamPreview({ leaving: [], shared: 0, staying: {} }, [], SCREEN)).toBe(
    "0 turns would be with the team, 0 of them already. To see a whole turn: mementor team preview <turn>\n",
  );
});

test("one turn as it would leave", () => {
  expect(
    renderSharedTurn(SHOWN),
  ).toBe(`Turn 7, 1 Mar 2026 09:00, session 1b7c0a52, 1 secret, 12 characters taken out
Title: Keys
Branch: main
Tool: Edit(src/keys.ts)
File: src/keys.ts (Edit)
Commit: 3f9d2c1 feat: keys

${TEXT}
`);
});

test("everything that would leave, for programs", () => {
  const { chunks: _, vectorModel: __, ...facts } = TURN;
  expect(previewJson(SHOWN)).toEqual({
    ...facts,
    ...{ turnId: 7, isShared: true, redacted: 1, charsTakenOut: 12, chunks: 0, vectors: null },
  });
});
