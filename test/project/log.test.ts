import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderLogLine } from "../../src/cli/commands/told.ts";
import { styleFor } from "../../src/cli/terminal/screen.ts";
import { MementorError } from "../../src/errors.ts";
import { type LogLevel, logFilePath, openLog } from "../../src/project/log.ts";
import { readLog } from "../../src/project/read-log.ts";

let home = "";
let directory = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mementor-log-"));
  directory = join(home, "log");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The log's files, oldest last, without the lock. */
const files = () =>
  readdirSync(directory)
    .filter((name) => !name.endsWith(".lock"))
    .sort();

const open = (level: LogLevel = "info", maxBytes = 5_000_000) =>
  openLog({
    directory,
    level,
    now: () => new Date("2026-01-02T03:04:05Z"),
    pid: 7,
    limits: { maxBytes, files: 3 },
  });
const lines = (file = logFilePath(directory)) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const head = { time: "2026-01-02T03:04:05.000Z", pid: 7 };

describe("openLog", () => {
  test("writes one JSON object per line, readable only by the user", () => {
    open().info("hook", { event: "overwritten", ms: 3 });
    open().error("failed", { error: new MementorError("db_locked", "busy") });
    expect(lines()).toEqual([
      { ...head, level: "info", event: "hook", ms: 3 },
      {
        ...head,
        level: "error",
        event: "failed",
        error: { name: "MementorError", code: "db_locked", message: "busy", at: expect.any(String) },
      },
    ]);
    expect([statSync(directory).mode & 0o777, statSync(logFilePath(directory)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  test.each<[LogLevel, string[]]>([
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ])("at %s keeps what weighs as much or more", (level, kept) => {
    const log = open(level);
    for (const of of ["error", "warn", "info", "debug"] as const) log[of]("x");
    expect(lines().map((line) => line.level)).toEqual(kept);
  });

  test("keeps what a person wrote at debug only, and never what a syntax error quotes", () => {
    open("info").error("hook", { chars: 6 }, { prompt: "secret" });
    const syntax = new SyntaxError('Unexpected "secret"');
    open("info").error("hook", {
      error: syntax,
      wrapped: new MementorError("internal", 'x "secret"', { cause: syntax }),
    });
    expect(readFileSync(logFilePath(directory), "utf8")).not.toContain("secret");
    open("debug").info("hook", {}, { prompt: "secret" });
    expect(lines().at(-1)).toEqual({ ...head, level: "info", event: "hook", prompt: "secret" });
  });

  test("cuts long values and survives what JSON cannot hold", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    open().info("long", { text: "x".repeat(5000), big: 12n });
    open().info("round", round);
    expect(lines()).toEqual([
      { ...head, level: "info", event: "long", text: `${"x".repeat(2000)}...`, big: "12" },
    ]);
  });

  test("is silent where it cannot write, and makes no project directory", () => {
    const log = (path: string) => openLog({ directory: path, level: "info", now: () => new Date(0), pid: 1 });
    log(join(home, "no/.mementor/log")).info("x");
    expect(existsSync(join(home, "no"))).toBe(false);
    writeFileSync(join(home, "file"), "");
    log(join(home, "file/log")).info("x");
    log("/proc/none/log").info("x");
  });

  test("keeps three files", () => {
    const log = open("info", 1000);
    for (let count = 0; count < 100; count++) log.info("x", { count });
    expect(files()).toEqual(["mementor.jsonl", "mementor.jsonl.1", "mementor.jsonl.2"]);
    for (const name of files()) expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(1000);
    expect(lines().at(-1).count).toBe(99);
  });

  test("loses and breaks no line when several processes rotate at once", async () => {
    mkdirSync(directory);
    const source = join(import.meta.dir, "../../src/project/log.ts");
    const script = `
      import { openLog } from ${JSON.stringify(source)};
      const log = openLog({ directory: ${JSON.stringify(directory)}, level: "info", now: () => new Date(), pid: process.pid,
        limits: { maxBytes: 12000, files: 60 } });
      for (let count = 0; count < 300; count++) log.info("x", { count, pad: "y".repeat(50) });`;
    const running = [1, 2, 3].map(() => Bun.spawn([process.execPath, "-e", script]));
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    const all = files().flatMap((name) => lines(join(directory, name)));
    expect(new Set(all.map(({ pid, count }) => `${pid} ${count}`)).size).toBe(900);
    expect(files().length).toBeGreaterThan(5);
  });
});

describe("readLog", () => {
  const collect = async (options: Parameters<typeof readLog>[1], stopAt: number) => {
    const seen: string[] = [];
    const stop = new AbortController();
    for await (const line of readLog(directory, { ...options, signal: stop.signal, pollMs: 1 })) {
      seen.push(line);
      if (seen.length === stopAt) stop.abort();
    }
    return seen;
  };

  test("gives nothing where no log is", async () => {
    expect(await collect({}, 1)).toEqual([]);
  });

  test("starts with the rotated files, or a number of lines before the end", async () => {
    mkdirSync(directory);
    writeFileSync(`${logFilePath(directory)}.2`, "a\n");
    writeFileSync(`${logFilePath(directory)}.1`, "b\nc\n");
    writeFileSync(logFilePath(directory), "d\nhalf");
    expect([await collect({}, 9), await collect({ last: 2 }, 9)]).toEqual([
      ["a", "b", "c", "d"],
      ["c", "d"],
    ]);
  });

  test("follows appended lines, partial lines and rotations", async () => {
    mkdirSync(directory);
    const file = logFilePath(directory);
    writeFileSync(file, "one\ntw");
    const stop = new AbortController();
    const following = readLog(directory, { follow: true, pollMs: 1, signal: stop.signal });
    const lines = following[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value;
    expect(await next()).toBe("one");
    appendFileSync(file, "o\nthree\n");
    expect([await next(), await next()]).toEqual(["two", "three"]);
    appendFileSync(file, "four\n");
    renameSync(file, `${file}.1`);
    writeFileSync(file, "five\n");
    expect([await next(), await next()]).toEqual(["four", "five"]);
    stop.abort();
    expect((await lines.next()).done).toBe(true);
  });
});

test("a hook's line has the words, the time and the file that `told` shows", () => {
  const line = (decision: string, subject: string | null = null) =>
    renderLogLine(
      JSON.stringify({
        time: "2026-03-04T12:00:00Z",
        level: "info",
        event: "hook",
        pid: 1,
        hook: "user-prompt-submit",
        decision,
        ms: 31.6,
      }),
      { id: 7, subject },
      styleFor({ isTerminal: false }, {}),
    ).replace(/^.* info {2}/, "");
  expect(line("told")).toBe("hook  #7  user-prompt-submit  told  32 ms\n");
  expect(line("told", "src/a.ts")).toBe("hook  #7  user-prompt-submit  told  32 ms  src/a.ts\n");
  expect(line("gate")).toBe("hook  #7  user-prompt-submit  silent: nothing worth telling  32 ms\n");
});

test("the facts of a line are words, and what says nothing is left out", () => {
  const facts = {
    ...{ transcripts: 1, failures: [], problem: null, ending: "no power" },
    ...{ skipped: { progress: 2, empty: 1 }, errors: [{ path: "/a b", error: { message: "It is gone." } }] },
  };
  const line = JSON.stringify({
    time: "2026-03-04T12:00:00Z",
    level: "info",
    event: "ingest",
    pid: 1,
    ...facts,
  });
  expect(renderLogLine(line, null, styleFor({ isTerminal: false }, {})).replace(/^.* info {2}/, "")).toBe(
    'ingest  transcripts=1  ending="no power"  skipped=progress 2, empty 1  errors=path "/a b", error It is gone.\n',
  );
});
