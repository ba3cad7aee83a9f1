import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { loadCommands } from "../../../src/cli/command-line/parse.ts";
import { runHook } from "../../../src/hooks/run.ts";
import { PATIENCE_VARIABLE } from "../../../src/host.ts";
import { widthOf } from "../../../src/text/width.ts";
import { hostIn, runIn } from "../../support/host.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "..", "fixtures");
const SCREENS = join(FIXTURES, "screens");
const SAMPLE = join(FIXTURES, "transcripts", "sample");
const NOW = new Date("2026-11-22T12:00:00Z");
const WIDTHS = [40, 80, 120];
/** Wide enough that nothing is broken or cut for want of room. */
const WIDE = 4000;

/** What people look at, by the name of the files that show it. Those that change something stand at the end. */
const COMMANDS: Record<string, string[]> = {
  home: [],
  search: ["search", "why did we choose sqlite", "-k", "5"],
  explain: ["search", "rate limit of the link checker", "-k", "2", "--explain"],
  unknown: ["search", "zxqv blorf"],
  recent: ["recent", "-n", "8"],
  sessions: ["sessions", "-n", "8"],
  turns: ["show", "--turns", "1b7c0a52"],
  show: ["show", "1"],
  files: ["files", "-n", "8"],
  history: ["files", "src/db/schema.ts"],
  commits: ["commits", "-n", "5"],
  prs: ["commits", "--prs"],
  related: ["show", "--related", "1b7c0a52"],
  resume: ["show", "--resume", "1"],
  stats: ["report", "--text"],
  told: ["told"],
  "told-text": ["told", "1"],
  mark: ["mark"],
  status: ["status"],
  doctor: ["doctor"],
  config: ["config"],
  model: ["model", "list"],
  log: ["told", "--log"],
  scan: ["doctor", "--secrets"],
  upgrade: ["upgrade"],
  recall: ["recall", "why did we choose sqlite"],
  "team-status": ["team", "status"],
  "enable-preview": ["enable", "--dry-run"],
  "forget-preview": ["forget", "src/db/schema.ts", "--dry-run"],
  "prune-preview": ["forget", "--before", "1mo", "--prune", "--dry-run"],
  "uninstall-preview": ["uninstall", "--dry-run"],
  import: ["import", "out.jsonl", "--dry-run"],
  export: ["export", "-o", "out.jsonl"],
  report: ["report", "--html", "out.html"],
  ingest: ["ingest", "--text-only"],
  good: ["mark", "good", "1"],
  bad: ["mark", "bad", "1"],
  mute: ["mark", "mute", "3"],
  pin: ["mark", "pin", "3"],
  promote: ["note", "1", "--to", "CLAUDE.md"],
  unshare: ["team", "unshare", "1", "--yes"],
  note: ["note", "Dates are stored in UTC and shown in the local time of the person who reads them"],
  enable: ["enable", "--no-history"],
  disable: ["disable"],
};

/** Commands without a screen: what they print is data, goes to an agent, or is printed by others. */
const WITHOUT_SCREEN = ["completions", "licenses", "mcp", "plugin", "prepare", "sync", "work"];

let root: string;
let project: string;

beforeAll(async () => {
  root = mkdtempSync("/tmp/mementor-");
  project = join(root, "project");
  mkdirSync(join(root, "home"));
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  await run(["enable", "--no-history"]);
  await run(["ingest", SAMPLE, "--text-only"]);
  await run(["export", "-o", "out.jsonl"]);
  const prompt =
    "Why do we keep the bookmarks in SQLite with FTS5 instead of one JSON file, and what about LMDB on Windows?";
  const { host } = hostIn({ argv: ["hook", "user-prompt-submit"], ...PLACE() });
  const input = Buffer.from(JSON.stringify({ session_id: "s", cwd: project, prompt }));
  // Found by its name, the program is called by that, and the text is as long on every machine.
  const env = { ...host.env, [PATIENCE_VARIABLE]: "20", PATH: join(root, "home/.local/share/mementor/bin") };
  await runHook({ ...host, env, stdin: { ...host.stdin, read: async () => input } });
  await run(["told"]);
  // The hook noted this process as one of the agent's; the commands below are their user's.
  const memories = join(root, "home/.local/share/mementor/projects");
  for (const id of readdirSync(memories))
    rmSync(join(memories, id, "running"), { recursive: true, force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLACE = () => ({
  cwd: project,
  homeDir: join(root, "home"),
  now: NOW,
  // A cache of its own, which the preview of an uninstall names.
  env: { NO_COLOR: "1", NO_PAGER: "1", TZ: "UTC", XDG_CACHE_HOME: "" },
});

const run = (argv: readonly string[], columns?: number) =>
  runIn({ argv, ...PLACE(), ...(columns !== undefined && { columns }) });

/** What a command shows, with what differs between runs made equal. */
async function screenOf(argv: readonly string[], columns: number): Promise<string> {
  const { stdout, stderr } = await run(argv, columns);
  return (
    (stdout + stderr)
      .replace(
        /\/tmp\/mementor-(\w+)/g,
        (_, name: string) => `/tmp/mementor-${"123456".slice(0, name.length)}`,
      )
      .replace(/(?<=[/…])[\da-f]{3,32}(?=[/\s.]|$)/gm, (id) =>
        "0123456789abcdef0123456789abcdef".slice(-id.length),
      )
      .replace(/\b[\d.]+(?= (?:KB|MB|bytes)\b)/g, (size) => size.replace(/\d/g, "1"))
      // What was measured stands alone, not in a sentence of a turn.
      .replace(/(?<= {2}|, )\d+ ms\b/g, "12 ms")
  );
}

/** Compares with `fixtures/screens/<name>.txt`; `UPDATE_GOLDEN=1` writes it anew. */
function compare(name: string, screen: string): void {
  const file = join(SCREENS, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, screen);
  expect(screen).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of a terminal start with one
const DRAWN_OVER = /[^\n]*\x1b\[2K/g;

/** The lines that the terminal itself would break, but for those that are one long word, or a command to copy. */
const tooWide = (screen: string, columns: number) =>
  screen
    .replace(DRAWN_OVER, "")
    .split("\n")
    .filter((line) => widthOf(line) > columns && /\S\s+\S/.test(line.trim()))
    .filter((line) => !/^ *mementor (?:show|search) (?:\d+|'.*')$/.test(line));

/** The settings follow from one table, so that those of a group stand for all. */
const withSomeSettings = (screen: string) => screen.replace(/^(?!search\.)\w+\.\w+ .*\n(?: {4}.*\n)+/gm, "");

/** Commands whose lines are there to be copied: only the terminal itself may break them. */
const COPIED = ["resume"];

for (const [name, argv] of Object.entries(COMMANDS))
  for (const columns of WIDTHS)
    test(`${name} at ${columns} columns`, async () => {
      // A note with the same words would not be stored again.
      const screen = await screenOf(name === "note" ? [...argv, `at ${columns}`] : argv, columns);
      if (!COPIED.includes(name)) expect(tooWide(screen, columns)).toEqual([]);
      if (columns === 80) compare(`${name}.80`, name === "config" ? withSomeSettings(screen) : screen);
    });

test("each result of a search says how sure it is and how to show it, however narrow the terminal is", async () => {
  for (const columns of [24, 40, 60, 80]) {
    const { stdout } = await run([...(COMMANDS.search ?? []), "--no-pager"], columns);
    expect(stdout.match(/^ {4}(?:strong|likely|weak) .*show \d+$/gm)).toHaveLength(5);
  }
});

test("a pipe shows where what was told goes on", async () => {
  const { stdout } = await run(["told", "--json"]);
  const passages: string[] = JSON.parse(stdout).answers[0].turns.map(
    ({ passage }: { passage: string }) => passage,
  );
  const cut = passages.filter((passage) => passage.length > 140);
  expect(new Set(cut.map((passage) => passage.at(-1)))).toEqual(new Set(["…"]));
});

test("the log names an answer by the number that told gives it", async () => {
  const { answers } = JSON.parse((await run(["told", "--json"])).stdout);
  const { stdout } = await run(["told", "--log"]);
  expect(stdout.match(/#\d+/g)).toEqual(answers.map(({ id }: { id: number }) => `#${id}`));
});

test("every file of a screen is compared", () => {
  const shown = Object.keys(COMMANDS).map((name) => `${name}.80`);
  const ofBinary = ["search.pipe", "recent.pipe", "help.short"];
  const ascii = ["search", "recent", "sessions", "told", "home"].map((name) => `${name}.ascii`);
  expect(readdirSync(SCREENS).sort()).toEqual(
    [...shown, ...ofBinary, ...ascii].map((name) => `${name}.txt`).sort(),
  );
});

test("every command that has one shows a screen", async () => {
  const shown = new Set([...Object.values(COMMANDS).map(([command]) => command), ...WITHOUT_SCREEN]);
  const names = (await loadCommands()).map(({ name }) => name);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
});

test("on a narrow terminal each text of the help stands below its name", async () => {
  const screen = await screenOf(["--help"], 40);
  expect(screen).toContain('  mementor search "why did we ..."\n        to ask what was said before\n');
});

test("no help breaks a word", async () => {
  const commands = (await loadCommands()).map(({ name }) => [name, "--help"]);
  for (const argv of [["--help"], ...commands])
    for (const columns of WIDTHS) {
      const [screen, wide] = [await screenOf(argv, columns), await screenOf(argv, WIDE)];
      expect([argv, columns, tooWide(screen, columns)]).toEqual([argv, columns, []]);
      const whole = new Set(wordsOf(wide));
      expect(wordsOf(screen).filter((word) => !whole.has(word) && !word.includes("…"))).toEqual([]);
    }
});

const wordsOf = (screen: string) => screen.split(/[\s,/|]+/).filter(Boolean);

test("where the project was named with -C, every command that is offered names it, too", async () => {
  const elsewhere = (...argv: string[]) =>
    runIn({ ...PLACE(), argv: ["-C", project, ...argv], cwd: root, columns: 200 });
  await run(["enable", "--no-history"]);
  for (const argv of [
    [],
    ["told"],
    ["show", "1"],
    ["mark", "mute", "4"],
    ["note", "Dates are UTC"],
    ["mark", "good", "1"],
  ]) {
    const { stdout } = await elsewhere(...argv);
    const offered = stdout.match(/mementor (?!--help).*/g) ?? [];
    expect([argv, offered.length > 0]).toEqual([argv, true]);
    expect(offered.filter((line) => !line.startsWith(`mementor -C ${project} `))).toEqual([]);
  }
  await elsewhere("mark", "mute", "4", "--undo");
});
