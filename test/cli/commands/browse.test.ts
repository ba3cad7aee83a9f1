import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { BUILT_IN_MODEL } from "../../../src/constants.ts";
import type { SessionFacts } from "../../../src/domain.ts";
import { batch, openStore, source, tempDir, turn, vectorOf } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

const KETTLE = "aaaa1111-0000-4000-8000-000000000001";
const TEAPOT = "aaaa2222-0000-4000-8000-000000000002";
const NOW = new Date("2026-02-12T10:00:00Z");
const SCHEMAS = join(import.meta.dir, "..", "..", "..", "fixtures", "schemas");

/** Moves the cursor, turns red, sets the title of the window, reverses the direction of the text. */
const HOSTILE = "\x1b[2J\x1b[31mred\x1b]0;owned\x07\u202etxt\x9b1m\x07";

const at = (day: number) => new Date(Date.UTC(2026, 1, day, 10)).toISOString();
const facts = (sessionId: string, title: string | null, day: number): SessionFacts => ({
  sessionId,
  projectDir: null,
  title,
  titleSource: title === null ? null : "summary",
  firstPrompt: "How it began",
  automated: null,
  branch: "main",
  startedAt: at(day),
  endedAt: at(day),
});

let directory: ReturnType<typeof tempDir>;
let project: string;
let transcript: string;

const mementor = (argv: readonly string[], options: Partial<Parameters<typeof runIn>[0]> = {}) =>
  runIn({
    argv: [...argv, "--db", join(directory.path, "m.db")],
    cwd: project,
    homeDir: directory.path,
    now: NOW,
    ...options,
  });

beforeAll(async () => {
  directory = tempDir();
  project = join(directory.path, "kettle");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "src", "deep"), { recursive: true });
  await Bun.write(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  transcript = join(directory.path, `${KETTLE}.jsonl`);
  const lines = [
    { uuid: "p-0", text: `one ${HOSTILE}` },
    { more: true },
    { uuid: "p-2", text: "two" },
    { last: true },
  ];
  await Bun.write(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const store = await openStore(join(directory.path, "m.db"), { model: BUILT_IN_MODEL });
  const edits = [{ filePath: "src/valve.ts", toolName: "Edit" }];
  await store.ingest.write(
    batch(
      [
        turn(0, `[User] Why ${HOSTILE} leak?\n\n[Assistant] The valve.`, {
          sessionId: KETTLE,
          createdAt: at(1),
          mentions: [...edits, { filePath: `src/${HOSTILE}.ts`, toolName: "Read" }],
          commits: [{ hash: "3f9d2c1", message: `fix ${HOSTILE}` }],
          promptUuid: "p-0",
          branch: HOSTILE,
        }),
        turn(2, "[User] Mend it.", {
          sessionId: KETTLE,
          createdAt: at(2),
          mentions: edits,
          promptUuid: "p-2",
        }),
      ],
      {
        source: source({ path: transcript, sessionId: KETTLE }),
        sessions: [facts(KETTLE, `Leak ${HOSTILE}`, 2)],
        prLinks: [
          {
            sessionId: KETTLE,
            prNumber: 7,
            prUrl: `https://e.org/${HOSTILE}`,
            prRepository: HOSTILE,
            timestamp: at(2),
          },
        ],
      },
    ),
  );
  await store.ingest.write(
    batch(
      [turn(0, "[User] The teapot leaks, too.", { sessionId: TEAPOT, createdAt: at(10), mentions: edits })],
      {
        source: source({ path: "/gone.jsonl", sessionId: TEAPOT }),
        sessions: [facts(TEAPOT, null, 10)],
      },
    ),
  );
  const long = (text: string) =>
    Float32Array.from({ length: BUILT_IN_MODEL.dimensions }, (_, i) => vectorOf(text)[i % 32] ?? 0);
  const chunks = await store.ingest.pendingChunks(100);
  await store.ingest.saveVectors(chunks.map(({ chunkId, content }) => ({ chunkId, vector: long(content) })));
  const resources = await store.ingest.pendingResources(100);
  await store.ingest.saveResources(resources.map((resource) => ({ resource, vector: long(resource) })));
  await store.ingest.refreshAccessPatterns();
  await store.journal.recordTold({
    sessionId: TEAPOT,
    event: "user-prompt-submit",
    turnIds: [1],
    time: at(9),
  });
  await store.journal.recordHookCall({
    sessionId: TEAPOT,
    event: "user-prompt-submit",
    decision: "told",
    durationMs: 31.25,
    time: at(9),
  });
  await store.close();
});

afterAll(() => directory[Symbol.dispose]());

/** Command lines that between them show everything that the commands can show. */
const LINES: readonly (readonly string[])[] = [
  ["show", "1"],
  ["show", "2", "--context", "3"],
  ["show", "aaaa1"],
  ["show", "1", "--raw"],
  ["show", KETTLE, "--raw"],
  ["sessions"],
  ["sessions", "--since", "now"],
  ["show", "--turns", "aaaa1"],
  ["files"],
  ["files", "valve.ts"],
  ["files", "src"],
  ["files", "--since", "now"],
  ["commits"],
  ["commits", "3f9d"],
  ["commits", "--prs"],
  ["commits", "--prs", "--pr", "7"],
  ["recent"],
  ["recent", "--since", "now"],
  ["show", "--related", "src/valve.ts"],
  ["show", "--related", "aaaa1"],
  ["show", "--related", "1"],
  ["report", "--text"],
  ["report", "--text", "--since", "now", "--by", "week"],
];

describe.each(LINES.map((argv) => [argv.join(" "), argv] as const))("mementor %s", (_, argv) => {
  test("gives JSON as its schema has it", async () => {
    const ajv = new Ajv2020({
      strict: true,
      allErrors: true,
      formats: { "date-time": /^\d{4}-\d\d-\d\dT.*Z$/, date: /^\d{4}-\d\d-\d\d$/ },
    });
    const validate = ajv.compile(await Bun.file(join(SCHEMAS, `${argv[0]}.schema.json`)).json());
    const { exitCode, stdout, stderr } = await mementor([...argv, "--json"]);
    expect({ exitCode, stderr, lines: stdout.split("\n").length }).toEqual({
      exitCode: 0,
      stderr: "",
      lines: 2,
    });
    validate(JSON.parse(stdout));
    expect(validate.errors).toBeNull();
  });

  test("lets nothing from the memory act on the terminal", async () => {
    const { stdout } = await mementor(argv);
    const { stdout: json } = await mementor([...argv, "--json"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(`${stdout}${json}`).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });

  test("keeps to the width of the terminal, but for whole texts", async () => {
    const { exitCode, stdout } = await mementor([...argv, "--no-pager"], { columns: 76 });
    expect(exitCode).toBe(0);
    const isWhole = argv[0] === "show" && !argv.includes("--turns") && !argv.includes("--related");
    for (const line of isWhole ? [] : stdout.split("\n"))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(76);
  });
});

test("shows a turn with its neighbours", async () => {
  const { stdout } = await mementor(["show", "2", "--context", "1"]);
  expect(stdout).toBe(`turn 1  1 Feb 2026 10:00  on redtxt1m
session ${KETTLE} "Leak redtxt1m"

[User] Why redtxt1m leak?

[Assistant] The valve.

turn 2  2 Feb 2026 10:00  on main
session ${KETTLE} "Leak redtxt1m"

[User] Mend it.

To continue its session: mementor --db ${join(directory.path, "m.db")} show 2 --resume
`);
});

describe("--raw", () => {
  test("gives the turn's lines, with the same values and without terminal escapes", async () => {
    const { stdout } = await mementor(["show", "1", "--raw"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ uuid: "p-0", text: `one ${HOSTILE}` }, { more: true }]);
  });

  test("ends with the file for the last turn", async () => {
    const { stdout } = await mementor(["show", "2", "--raw"]);
    expect(stdout).toBe('{"uuid":"p-2","text":"two"}\n{"last":true}\n');
  });

  test("says that the transcript is gone, and what there still is", async () => {
    const { exitCode, stdout, stderr } = await mementor(["show", "3", "--raw"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("The transcript is gone: /gone.jsonl");
    expect(stderr).toContain("leave out --raw");
  });

  test("does not take other lines for the turn's", async () => {
    const before = await Bun.file(transcript).text();
    await Bun.write(transcript, '{"uuid":"other"}\n');
    const { exitCode, stderr } = await mementor(["show", "1", "--raw"]);
    await Bun.write(transcript, before);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("no longer contains turn 1");
  });
});

describe("paths", () => {
  test.each<[string, string[]]>([
    ["relative to the project", ["src/valve.ts"]],
    ["by the end", ["valve.ts"]],
  ])("are found %s", async (_, [typed]) => {
    const cwd = join(project, "src", "deep");
    const { stdout } = await mementor(["files", typed ?? "", "--json"], { cwd });
    expect(JSON.parse(stdout).files).toEqual([
      { path: "src/valve.ts", touches: 3, changes: 3, last_time: at(10) },
    ]);
  });

  test("are found relative to the current directory", async () => {
    const { stdout } = await mementor(["files", "./src/valve.ts", "--json"]);
    expect(JSON.parse(stdout).files).toEqual([
      { path: "src/valve.ts", touches: 3, changes: 3, last_time: at(10) },
    ]);
  });

  test("an anchored path matches no file elsewhere", async () => {
    for (const typed of ["/home/other/kettle/src/valve.ts", "./valve.ts", "../other/src/valve.ts"]) {
      const { exitCode, stdout, stderr } = await mementor(["files", typed, "--json"]);
      expect([typed, exitCode, stdout]).toEqual([typed, 1, ""]);
      expect(stderr).toContain(`The memory has no file or directory "${typed}".\n  Nearest: src/valve.ts.`);
    }
  });

  test("an absolute path is found", async () => {
    const { stdout } = await mementor(["files", join(project, "src/valve.ts"), "--json"]);
    expect(JSON.parse(stdout).history.map((touch: { turn_id: number }) => touch.turn_id)).toEqual([3, 2, 1]);
  });

  test.each(["src", "src/", "./src", "."])("%p lists what is in the directory", async (typed) => {
    const { stdout } = await mementor(["files", typed, "--json"]);
    expect(JSON.parse(stdout).files.map((file: { path: string }) => file.path)).toEqual([
      "src/valve.ts",
      `src/${HOSTILE}.ts`,
    ]);
  });

  test.each(["src", "valve.ts", "./src/valve.ts"])("%p narrows sessions", async (typed) => {
    const { stdout } = await mementor(["sessions", "--file", typed, "--json"]);
    expect(JSON.parse(stdout).sessions.map((session: { session_id: string }) => session.session_id)).toEqual([
      TEAPOT,
      KETTLE,
    ]);
  });
});

test("related sessions do not include the given one, and show what they share", async () => {
  const { stdout } = await mementor(["show", "--related", "aaaa1", "--json"]);
  const { to, sessions } = JSON.parse(stdout);
  expect(to).toEqual({ path: null, turn_id: null, session_id: KETTLE });
  expect(sessions).toMatchObject([{ session_id: TEAPOT, shared_files: ["src/valve.ts"] }]);
  expect(sessions[0].access_distance).toBeGreaterThan(0);
  expect(sessions[0].text_distance).toBeGreaterThan(0);
});

test("statistics count what came of recalls", async () => {
  const { stdout } = await mementor(["report", "--text", "--json"]);
  expect(JSON.parse(stdout).recall).toEqual({
    given: 1,
    silent: 0,
    late: 0,
    invited: { sessions: 0, subagents: 0 },
    asked: { calls: 0, sessions: 0 },
    turns_told: 1,
    turns_used: 1,
    turns_naming_files: 1,
    led_to_edit: 1,
    shown: 0,
    marked: { good: 0, bad: 0 },
    calls: [{ event: "user-prompt-submit", decision: "told", calls: 1, mean_ms: 31.3 }],
  });
});

test("lists are aligned, cut between words, and leave out what matters least where it is narrow", async () => {
  const at = async (command: string, columns: number) =>
    (await mementor([command, "--no-pager"], { columns, env: { NO_COLOR: "1" } })).stdout.replaceAll(
      /\d\d:\d\d/g,
      "hh:mm",
    );
  expect(await at("sessions", 60)).toBe(`SESSION   TITLE          LAST         BRANCH  TURNS  FILES
aaaa2222  How it began   Tue hh:mm    main        1      1
aaaa1111  Leak redtxt1m  2 Feb hh:mm  main        2      2
`);
  expect(await at("recent", 50)).toBe(`TURN  PROMPT                  WHEN
   3  The teapot leaks, too.  Tue hh:mm
   2  Mend it: Leak redtxt1m  2 Feb hh:mm
   1  Why redtxt1m leak?      1 Feb hh:mm
`);
  expect(await at("recent", 32)).toBe(`TURN  PROMPT
   3  The teapot leaks, too.
   2  Mend it: Leak redtxt1m
   1  Why redtxt1m leak?
`);
  expect(await at("recent", 20)).toBe(`TURN  PROMPT
   3  The teapot…
   2  Mend it: Leak…
   1  Why redtxt1m…
`);
});

describe("wrong usage", () => {
  test.each<[string[], number, string]>([
    [["help", "--json"], 64, "Help is text only."],
    [["show", "4711"], 1, "There is no turn 4711."],
    [["show", "zzz"], 1, 'There is no session "zzz".'],
    [["show", "--turns", "aaaa"], 64, 'More than one session starts with "aaaa".'],
    [["sessions", "--since", "soon"], 64, 'Cannot read "soon" as a time'],
    [["sessions", "-n", "few"], 64, '-n must be a whole number from 1 to 1,000,000, not "few".'],
    [["commits", "xyz"], 64, '<hash> must be a commit\'s hash: 4 to 64 hexadecimal digits, not "xyz".'],
    [["commits", "--prs", "--pr", "seven"], 64, '--pr must be a whole number, at least 1, not "seven".'],
    [["show", "--related", "nowhere.ts"], 1, 'The memory has no turn, file or session "nowhere.ts".'],
    [["files", "nowhere.ts"], 1, 'The memory has no file or directory "nowhere.ts".'],
    [["files", "valv.ts"], 1, "Nearest: src/valve.ts."],
    [["show", "--related", "valv.ts", "--json"], 1, "Nearest: src/valve.ts."],
    [["recent", "--file", "nowhere.ts", "--json"], 1, 'no file or directory "nowhere.ts".'],
    [["sessions", "--branch", "mian"], 1, 'The memory has no branch "mian".\n  Nearest: main.'],
    [["recent", "--from", "foo"], 1, 'There is no agent "foo".\n  Known ones include: claude-code'],
    [["recent", "--from", "codx", "--json"], 1, "Nearest: codex."],
    [["search", "tea", "--author", "zed"], 1, 'The memory has no turns of "zed".\n  It has no team members.'],
    [["sessions", "--pr", "999"], 1, "The memory has no pull request 999.\n  Known ones include: "],
    [["commits", "--prs", "--pr", "999"], 1, "The memory has no pull request 999."],
    [["commits", "abcd"], 1, 'The memory has no commit "abcd".\n  Known ones include: '],
    [["files", "--commit", "abcd", "--json"], 1, 'The memory has no commit "abcd".'],
    [["show", "--turns", "aaaa9"], 1, `There is no session "aaaa9".\n  Nearest: ${TEAPOT}, ${KETTLE}.`],
    [["search", "tea", "--session", "zzz", "--json"], 1, `Known ones include: ${TEAPOT}, ${KETTLE}.`],
    [["report", "--text", "--by", "hour"], 64, '--by must be day, week or month, not "hour".'],
  ])("%p exits %p", async (argv, expected, message) => {
    const { exitCode, stdout, stderr } = await mementor(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: expected, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("names the sessions that an id could mean", async () => {
    const { stderr } = await mementor(["show", "--turns", "aaaa"]);
    expect(stderr).toContain(`${TEAPOT}  How it began\n`);
    expect(stderr).toContain(`${KETTLE}  Leak redtxt1m\n`);
  });
});

describe("the pager", () => {
  const paged = async (argv: readonly string[], options: Partial<Parameters<typeof runIn>[0]>) => {
    const seen = join(directory.path, "paged");
    rmSync(seen, { force: true });
    const env = { PAGER: `cat > '${seen}'`, NO_COLOR: "1", ...options.env };
    const { stdout } = await mementor(argv, { ...options, env });
    return { stdout, seen: (await Bun.file(seen).exists()) ? await Bun.file(seen).text() : null };
  };

  test("gets what goes to a terminal", async () => {
    const { stdout, seen } = await paged(["show", "--turns", "aaaa2"], { columns: 80 });
    expect(stdout).toBe("");
    expect(seen).toContain("The teapot leaks, too.");
  });

  test.each<[string, string[], Partial<Parameters<typeof runIn>[0]>]>([
    ["a pipe", [], {}],
    ["--no-pager", ["--no-pager"], { columns: 80 }],
    ["NO_PAGER", [], { columns: 80, env: { NO_PAGER: "1" } }],
    ["--json", ["--json"], { columns: 80 }],
  ])("is not started for %s", async (_, more, options) => {
    const { stdout, seen } = await paged(["show", "--turns", "aaaa2", ...more], options);
    expect(seen).toBeNull();
    expect(stdout).toContain("The teapot leaks, too.");
  });

  test("that is not there costs nothing", async () => {
    const { stdout } = await mementor(["show", "--turns", "aaaa2"], {
      columns: 80,
      env: { PAGER: "/nowhere/pager 2>/dev/null" },
    });
    expect(stdout).toContain("The teapot leaks, too.");
  });
});
