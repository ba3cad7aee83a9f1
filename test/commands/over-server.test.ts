import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands.ts";
import { tempDir } from "../store/builders.ts";
import { type Answer, runIn } from "../support/host.ts";
import { startTeam, type TestTeam } from "../support/postgres/team.ts";
import { fillBoth } from "../support/sample-memory.ts";

const SESSION = "1b7c0a52";

/** What every command that reads is asked. */
const READING: Readonly<Record<string, readonly (readonly string[])[]>> = {
  search: [
    ["sqlite bookmarks", "--mode", "keyword"],
    ["rate limit", "--mode", "keyword", "--explain", "--file", "src/"],
  ],
  show: [["1"], ["3", "--context", "2"], [SESSION], ["1", "--raw"], [SESSION, "--raw"]],
  recent: [[], ["-n", "3", "--branch", "feat/store"]],
  sessions: [[], ["--since", "2026-03-01", "--human"]],
  turns: [[SESSION]],
  files: [[], ["src/db/schema.ts"], ["src/"]],
  commits: [[], ["--file", "src/"]],
  prs: [[]],
  related: [["1"], [SESSION], ["src/db/schema.ts"]],
  stats: [[], ["--by", "week"]],
  resume: [["1"], [SESSION], ["1", "--author", "all"]],
  report: [
    // Of one session: the server keeps no order of the commits that one turn made.
    ["--session", SESSION, "--html", "out"],
    ["--card", "out", "--titles"],
  ],
  export: [
    ["-o", "out"],
    ["--session", SESSION, "-o", "out"],
    ["--format", "markdown", "-o", "out"],
  ],
};

/** Commands that need the memory of this machine, with what they are called with. */
const LOCAL: Readonly<Record<string, readonly string[]>> = {
  bad: [],
  disable: [],
  doctor: [],
  enable: ["--no-history"],
  forget: ["1", "--yes"],
  good: [],
  import: ["memory.jsonl"],
  ingest: ["--all"],
  log: [],
  marks: [],
  model: ["list"],
  mute: ["1"],
  note: ["Dates are UTC"],
  pin: ["1"],
  prune: ["--keep", "1y", "--yes"],
  scan: [],
  status: [],
  team: ["status"],
  told: [],
  unshare: ["1", "--yes"],
};

/** Commands that read no memory, and one that serves it (`test/e2e/team-mcp.test.ts`). */
const OTHERS = [
  "completions",
  "config",
  "licenses",
  "mcp",
  "plugin",
  "prepare",
  "uninstall",
  "upgrade",
  "work",
];

let directory: ReturnType<typeof tempDir>;
let team: TestTeam;
let project: string;

beforeAll(async () => {
  directory = tempDir();
  project = join(directory.path, "tidemark");
  mkdirSync(join(project, ".git"), { recursive: true });
  team = await startTeam();
  await fillBoth(join(directory.path, "memory.db"), team, "tidemark", "ada");
}, 120_000);
afterAll(async () => {
  await team[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

const databases = () => [join(directory.path, "memory.db"), team.urlOf("ada")];

const run = (argv: readonly string[], database: string) =>
  runIn({
    argv: [...argv, "--db", database],
    cwd: project,
    homeDir: directory.path,
    now: new Date("2026-11-22T12:00:00Z"),
  });

/** What a command answers from each database, with the file that it wrote. */
async function answers(argv: readonly string[]) {
  const found: (Answer & { file: string | null })[] = [];
  for (const database of databases()) {
    const answer = await run(argv, database);
    const stdout = answer.stdout.replaceAll(database, "<database>");
    const file = argv.includes("out") ? readFileSync(join(project, "out"), "utf8") : null;
    found.push({ ...answer, stdout: rounded(stdout), file });
  }
  return found;
}

/** Vectors on the server have eleven bits of each component, so distances differ in their fourth digit. */
function rounded(text: string): string {
  return text.replace(/\b0\.\d{3,}/g, (number) => Number(number).toFixed(2));
}

const cases = Object.entries(READING).flatMap(([name, all]) => all.map((args) => [[name, ...args]] as const));

describe("a command with --db and a team's database", () => {
  test("is one of those that are tested", async () => {
    const names = (await loadCommands()).map(({ name }) => name);
    expect([...Object.keys(READING), ...Object.keys(LOCAL), ...OTHERS].sort()).toEqual(names.sort());
  });

  test.each(cases)("%p answers as from a file", async (argv) => {
    for (const wanted of argv[0] === "report" ? [argv] : [argv, [...argv, "--json"]]) {
      const [fromFile, fromServer] = await answers(wanted);
      expect(fromFile).toMatchObject({ exitCode: 0, stderr: "" });
      expect(fromServer).toEqual(fromFile);
    }
  });

  test.each(Object.entries(LOCAL))(
    "%s %p works on the local memory only, and says so",
    async (name, args) => {
      const { exitCode, stdout, stderr } = await run([name, ...args], team.urlOf("ada"));
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 64,
        stdout: "",
        stderr:
          "mementor: This works on the local memory only, not on a team's database.\n  Leave out --db.\n",
      });
    },
  );
});
