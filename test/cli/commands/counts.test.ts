import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import { storedPath } from "../../../src/ingest/transcript/paths.ts";
import { batch, openStore, source, tempDir, turn } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

const KETTLE = "aaaa1111-0000-4000-8000-000000000001";
const NOTE = "bbbb1111-0000-4000-8000-000000000001";
const FORK = "cccc1111-0000-4000-8000-000000000001";
const NOW = new Date("2026-06-12T10:00:00Z");

let directory: ReturnType<typeof tempDir>;
const mementor = async (...argv: string[]) => {
  const { stdout, stderr, exitCode } = await runIn({
    argv: [...argv, "--db", join(directory.path, "m.db")],
    cwd: join(directory.path, "kettle"),
    homeDir: directory.path,
    now: NOW,
  });
  return { exitCode, text: stdout + stderr };
};
const json = async (...argv: string[]) => JSON.parse((await mementor(...argv, "--json")).text);

const facts = (sessionId: string, client: string, at: string) => ({
  ...{ sessionId, client, projectDir: null, title: null, titleSource: null, firstPrompt: "Begin" },
  ...{ automated: null, branch: "main", startedAt: at, endedAt: at },
});

beforeAll(async () => {
  directory = tempDir();
  mkdirSync(join(directory.path, "kettle", ".git"), { recursive: true });
  const store = await openStore(join(directory.path, "m.db"), { model: BUILT_IN_MODEL });
  const mention = (filePath: string) => ({ filePath, toolName: "Read" });
  const [winter, summer] = ["2026-01-01T10:00:00Z", "2026-06-01T10:00:00Z"];
  await store.ingest.write(
    batch(
      [
        turn(0, "[User] Why does it leak?\n\n[Assistant] The valve.", {
          sessionId: KETTLE,
          createdAt: winter,
          mentions: [
            ...["cmd/...", "cmd/kettle", "cmd/kettle/main.go", "src/*.ts", "[...slug].tsx", "bin/boil"].map(
              mention,
            ),
            // What a command or a search was called with may be anything.
            ...[
              "/1MB",
              "/1000000",
              "/home/v/project",
              "src/template",
              "Makefile",
              "/d/kettle/lid.go",
              "scripts/descale",
              "/usr/bin/env",
            ].map((filePath) => ({
              filePath,
              toolName: "Bash",
            })),
          ],
        }),
      ],
      {
        source: source({ path: "/k.jsonl", sessionId: KETTLE }),
        sessions: [facts(KETTLE, "claude-code", winter)],
      },
    ),
  );
  await store.ingest.write(
    // A session whose turns another one keeps, as after a fork: it is listed nowhere.
    batch([], {
      source: source({ path: "/f.jsonl", sessionId: FORK }),
      sessions: [facts(FORK, "claude-code", winter)],
    }),
  );
  await store.ingest.write(
    batch([turn(0, "[User] Dates are UTC.", { sessionId: NOTE, createdAt: summer })], {
      source: source({ path: "/n.jsonl", sessionId: NOTE }),
      sessions: [facts(NOTE, "note", summer)],
    }),
  );
  await store.close();
});
afterAll(() => directory[Symbol.dispose]());

test("a note is no session, and stretches no time axis", async () => {
  const { sessions, total } = await json("sessions");
  expect([sessions.map((each: { session_id: string }) => each.session_id), total]).toEqual([[KETTLE], 1]);
  expect((await json("sessions", "--from", "note")).total).toBe(1);
  const { totals, first, last, timeline } = await json("report", "--text");
  expect([totals.sessions, first, last, timeline.length]).toEqual([
    1,
    "2026-01-01T10:00:00Z",
    "2026-01-01T10:00:00Z",
    1,
  ]);
  const { text } = await mementor("report", "--html", "-");
  expect(text).not.toContain("Dates are UTC");
});

test("patterns and directories are no files", async () => {
  const files = [
    "/d/kettle/lid.go",
    "Makefile",
    "[...slug].tsx",
    "bin/boil",
    "cmd/kettle/main.go",
    "scripts/descale",
  ];
  const { files: listed, total } = await json("files");
  expect([listed.map(({ path }: { path: string }) => path).sort(), total]).toEqual([files, 6]);
  expect((await json("sessions")).sessions[0].files).toBe(6);
});

test.each([
  ["/app/.claude/worktrees/a1/src/x.ts", "src/x.ts"],
  ["/app/.worktrees/fix/src/x.ts", "src/x.ts"],
  ["/app/.claude/worktrees/a1", null],
  ["/app/cmd/kettle/...", null],
  ["/app/src/*.go", null],
  ["/app/src/[...slug].tsx", "src/[...slug].tsx"],
])("%s is stored as %p", (path, stored) => {
  expect(storedPath(path, "/app", ["/app"])).toBe(stored);
});

test("a turn's number offers its session", async () => {
  expect(await mementor("show", "1", "--turns")).toEqual({
    exitCode: 1,
    text: "mementor: 1 is the number of a turn, not the id of a session.\n  Its session: mementor show aaaa1111 --turns\n",
  });
});

test("a number that no turn has, but that begins a session's id, names the session and the command", async () => {
  const sessionId = "61131111-0000-4000-8000-000000000001";
  const store = await openStore(join(directory.path, "digits.db"), { model: BUILT_IN_MODEL });
  await store.ingest.write(
    batch([turn(0, "[User] Boil.", { sessionId })], { source: source({ path: "/d.jsonl", sessionId }) }),
  );
  await store.close();
  const argv = ["show", "6113", "--db", join(directory.path, "digits.db")];
  const { stderr } = await runIn({
    argv,
    cwd: join(directory.path, "kettle"),
    homeDir: directory.path,
    now: NOW,
  });
  expect(stderr).toBe(
    "mementor: There is no turn 6113.\n  A session's id begins with it: mementor show 61131111\n",
  );
});

test("the name of an agent is no subagent", async () => {
  const { text } = await mementor("recent", "--agent", "codex");
  expect(text).toBe(
    'mementor: There is no subagent "codex".\n  For turns of sessions with that agent: --from codex\n',
  );
});

test("status and lists count the same sessions", async () => {
  const { total } = await json("sessions");
  const status = await json("status");
  expect([total, status.database.content?.sessions ?? status.database.sessions]).toEqual([1, 1]);
});

test("every command counts notes apart from turns and sessions", async () => {
  const held = "1 turn of 1 session, 1 note";
  const file = join(directory.path, "kettle.jsonl");
  expect((await mementor("report", "--text")).text).toStartWith(`${held}\n\nTurns by day, without notes\n`);
  expect((await mementor("status")).text).toContain(`${held}; `);
  expect((await mementor("report", "--html", join(directory.path, "r.html"))).text).toContain(`${held}, `);
  expect((await mementor("export", "-o", file)).text).toStartWith(`Wrote ${held} to `);
  expect((await mementor("import", file, "--dry-run")).text).toContain(`Holds     ${held}, `);
  expect((await mementor("report", "--text", "--from", "note")).text).toStartWith("1 note\n\nNotes by day\n");
  expect((await mementor("forget", NOTE, "--dry-run")).text).toStartWith("Notes     1 note, ");
  expect((await mementor("forget", KETTLE, "--dry-run")).text).toContain("Sessions  1 session, completely\n");
});

test("an import tells what became of notes", async () => {
  const file = join(directory.path, "kettle.jsonl");
  await mementor("export", "-o", file);
  const { stdout } = await runIn({
    argv: ["import", file, "--text-only", "--yes", "--db", join(directory.path, "other.db")],
    cwd: join(directory.path, "kettle"),
    homeDir: directory.path,
    now: NOW,
  });
  expect(stdout).toContain("\nTurns     1 new, 0 updated, of 1 session\nNotes     1 new, 0 updated\n");
});
