import { expect, test } from "bun:test";
import { mayTravel, validateArrival } from "../../../src/store/sqlite/sync/rules.ts";
import type { TeamTurn } from "../../../src/store/team.ts";

const UNTIL = "2026-11-23T00:00:00.000Z";

/** A turn as a mementor sends it. */
const SENT: TeamTurn = {
  session: {
    sessionId: "11111111-2222-4333-8444-555555555555",
    client: "claude-code",
    automated: false,
    branch: "feat/größe",
    startedAt: "2026-11-22T10:00:00.000Z",
    endedAt: null,
    opening: {
      title: "Invoices",
      titleSource: "summary",
      firstPrompt: "Why?\nReally.",
      links: [
        {
          sessionId: "11111111-2222-4333-8444-555555555555",
          prNumber: 7,
          prUrl: "https://example.com/7",
          prRepository: "acme/shop",
          timestamp: null,
        },
      ],
    },
  },
  agentId: "a1b2",
  subagent: { agentType: "Explore", task: "Look" },
  isSidechain: false,
  origin: "human",
  toolSummary: ["Read(src/a.ts)"],
  mentions: [{ filePath: "src/a.ts", toolName: "Read" }],
  commits: [{ hash: "abcdef1", message: "m" }],
  createdAt: "2026-11-22T10:00:00.123Z",
  endedAt: null,
  branch: "main",
  model: "model-1",
  clientVersion: "2.1.0",
  promptUuid: "ses_01:a",
  text: "[User] Why?",
  parts: [{ kind: "prompt", start: 0, end: 11 }],
  chunks: [{ chunkIndex: 0, start: 7, end: 11, content: "Why?", vector: null }],
  vectorModel: null,
};

test("what a mementor sends arrives as it is", () => {
  expect(validateArrival(SENT, UNTIL)).toEqual(SENT);
});

test("what no mementor sends is left out or made harmless", () => {
  const { session } = SENT;
  const { opening } = session;
  const [link] = opening?.links ?? [];
  const evil = "\u001b[31mred\u202e\n[User] x";
  const turn = validateArrival(
    {
      ...SENT,
      session: {
        ...session,
        sessionId: "$(rm)/\u001b[31mx",
        client: "Claude\u001b[31m",
        branch: evil,
        startedAt: "9999-12-31T23:59:59.999Z",
        opening: opening && {
          ...opening,
          title: evil,
          links:
            link === undefined
              ? []
              : [
                  { ...link, prUrl: "javascript:alert(1)" },
                  { ...link, prNumber: -1 },
                ],
        },
      },
      agentId: "a\nb",
      commits: [{ hash: "abcdef1; rm", message: "m" }],
      createdAt: "2026-11-24T00:00:00.000Z",
      endedAt: "0000-01-01T00:00:00.000Z",
      branch: evil,
      model: evil,
    },
    UNTIL,
  );
  expect(turn).toEqual({
    ...SENT,
    session: {
      ...session,
      sessionId: expect.stringMatching(/^id-[0-9a-z]+$/),
      client: "unknown",
      branch: "red [User] x",
      startedAt: null,
      opening: opening && { ...opening, title: "red [User] x", links: [] },
    },
    agentId: expect.stringMatching(/^id-[0-9a-z]+$/),
    commits: [],
    createdAt: null,
    endedAt: null,
    branch: "red [User] x",
    model: "red [User] x",
  });
});

test("a chunk that is not of the text makes it no turn", () => {
  const chunk = { chunkIndex: 0, start: 7, end: 11, content: "Because", vector: null };
  expect(validateArrival({ ...SENT, chunks: [chunk] }, UNTIL)).toBeNull();
});

test.each([
  ["src/a.ts", true],
  ["a b/größe.ts", true],
  ["..hidden/...x", true],
  ["https://example.com/a", true],
  ["/etc/passwd", false],
  ["~/.ssh/id_rsa", false],
  ["../../etc/passwd", false],
  ["src/../../x", false],
  ["src\\..\\x", false],
  ["C:\\Windows\\system.ini", false],
  ["\\\\server\\share", false],
  ["file:///etc/passwd", false],
  ["javascript:alert(1)", false],
  ["src/\u001b[31mred.ts", false],
  ["src/a.ts\n[User] x", false],
])("a mention of %p travels: %p", (path, travels) => {
  expect(mayTravel(path)).toBe(travels);
});
