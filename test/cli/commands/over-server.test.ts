import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand, loadCommands, parseLine } from "../../../src/cli/command-line/parse.ts";
import { openMemory } from "../../../src/mcp/memory.ts";
import { TOOLS } from "../../../src/mcp/tools.ts";
import { tempDir } from "../../store/builders.ts";
import { type Answer, hostIn, runIn } from "../../support/host.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";
import { fillBoth } from "../../support/sample-memory.ts";
import { readMethods, Watched } from "../../support/watched-store.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const SESSION = "1b7c0a52";
const SESSION_ID = "1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601";

/** What every command that reads is asked. */
const READING: Readonly<Record<string, readonly (readonly string[])[]>> = {
  search: [
    ["sqlite bookmarks", "--mode", "keyword"],
    ["rate limit", "--mode", "keyword", "--explain", "--file", "src/"],
  ],
  show: [["1"], ["3", "--context", "2"], [SESSION], [SESSION, "--turns"]],
  recent: [[], ["-n", "3", "--branch", "feat/store"]],
  sessions: [[], ["--since", "2026-03-01", "--human"]],
  files: [[], ["src/db/schema.ts"], ["src/"]],
  commits: [[], ["--file", "src/"], ["--prs"]],
  report: [
    ["--text", "--branch", "feat/store"],
    ["--text", "--session", SESSION, "--by", "week"],
    ["--card", "out"],
  ],
  export: [
    ["-o", "out"],
    ["--session", SESSION, "-o", "out"],
  ],
};

/** What reads all that a team's database can be asked. */
const COMMANDS = [
  ["search", "why sqlite for bookmarks in src/db/schema.ts, #4 and 3f9d2c1", "--json"],
  ["show", "1", "--context", "2"],
  ["show", SESSION],
  ["recent"],
  ["recent", "--author", "nobody"],
  ["recent", "--branch", "none"],
  ["sessions"],
  ["files"],
  ["files", "src/db/schema.ts"],
  ["commits"],
  ["commits", "--prs"],
  ["show", "--related", "src/db/schema.ts"],
  ["report", "--text"],
  ["report", "--html", "-"],
  ["export"],
];

/** Commands that need the memory of this machine, with what they are called with. */
const LOCAL: Readonly<Record<string, readonly string[]>> = {
  disable: [],
  doctor: [],
  enable: ["--no-history"],
  forget: ["1", "--yes"],
  import: ["memory.jsonl"],
  ingest: [],
  mark: [],
  model: ["list"],
  sync: [],
  note: ["Dates are UTC"],
  status: [],
  team: ["status"],
  told: [],
};

/** Commands that read no memory, one that serves it (`test/e2e/team-mcp.test.ts`), and one that asks no server. */
const OTHERS = [
  "completions",
  "config",
  "licenses",
  "mcp",
  "plugin",
  "prepare",
  "recall",
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
  await Bun.write(
    join(directory.path, ".config/mementor/config.json"),
    JSON.stringify({ team: { servers: [team.urlOf("ada")] } }),
  );
});
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
    now: NOW,
  });

/** What a command answers from each database, with the file that it wrote. */
async function answers(argv: readonly string[]) {
  const found: (Answer & { file: string | null })[] = [];
  for (const database of databases()) {
    const answer = await run(argv, database);
    const stdout = answer.stdout.replaceAll(database, "<database>");
    const file = argv.includes("out") ? readFileSync(join(project, "out"), "utf8") : null;
    found.push({ ...answer, stdout: shared(rounded(stdout)), file: file && shared(file) });
  }
  return found;
}

/** What stays on a machine, as JSON names it. Of a resumed session, the start of what it resumed counts there alone. */
const OWN = new Set([
  ...[
    "line_index",
    "provisional",
    "project_dir",
    "transcript_path",
    "cwd",
    "entry_uuids",
    "started_at",
    "bytes",
  ],
]);

/** A text whose lines of JSON have only what a push stores, without their size; other texts as they are. */
function shared(text: string): string {
  return text
    .replace(/ \(\d+ KB\)/, "")
    .replace(/^\{"type":"compaction",.*\n/gm, "")
    .replace(/^\{.*\}$/gm, (line) =>
      JSON.stringify(JSON.parse(line, (key, value) => (OWN.has(key) ? undefined : value))),
    );
}

/** Vectors on the server have eleven bits of each component, so distances differ in their fourth digit. */
function rounded(text: string): string {
  return text.replace(/\b0\.\d{3,}/g, (number) => Number(number).toFixed(2));
}

const cases = Object.entries(READING).flatMap(([name, all]) => all.map((args) => [[name, ...args]] as const));

describe("a command with --db and a team's database", () => {
  test("is one of those that are tested", async () => {
    const commands = await loadCommands();
    const names = commands.map(({ name }) => name);
    expect([...Object.keys(READING), ...Object.keys(LOCAL), ...OTHERS].sort()).toEqual(names.sort());
    const offering = commands.flatMap(({ name, readsTeam }) => (readsTeam ? [name] : []));
    expect(offering.sort()).toEqual([...Object.keys(READING), "mcp"].sort());
  });

  test.each(cases)("%p answers as from a file", async (argv) => {
    for (const wanted of argv[0] === "report" ? [argv] : [argv, [...argv, "--json"]]) {
      const [fromFile, fromServer] = await answers(wanted);
      expect(fromFile).toMatchObject({ exitCode: 0, stderr: "" });
      expect(fromServer).toEqual(fromFile);
    }
  });

  test.each<[string[], string, string]>([
    [
      ["show", "1", "--raw"],
      "The transcript of session 0a7e3f8c-1b2d-4c3e-9f45-6a5b4c3d2e10 is not on the team's server.",
      "It is on the machine where you held it. There, run: mementor show 0a7e3f8c --raw",
    ],
    [
      ["show", SESSION, "--raw"],
      `The transcript of session ${SESSION_ID} is not on the team's server.`,
      `It is on the machine where you held it. There, run: mementor show ${SESSION} --raw`,
    ],
    [
      ["show", "--resume", SESSION],
      `The team's server does not know where session ${SESSION_ID} was held.`,
      `On the machine where you held it, run: mementor show ${SESSION} --resume`,
    ],
  ])("%p says where it works", async (argv, message, hint) => {
    expect(await run(argv, team.urlOf("ada"))).toEqual({
      exitCode: 64,
      stdout: "",
      stderr: `mementor: ${message}\n  ${hint}\n`,
    });
  });

  test.each([["1"], [SESSION], ["src/db/schema.ts"]])("related %p compares what was said", async (target) => {
    const related = JSON.parse(
      (await run(["show", "--related", target, "--json"], team.urlOf("ada"))).stdout,
    ).sessions;
    expect(related.map((each: Record<string, unknown>) => each.access_distance)).toEqual(
      related.map(() => null),
    );
    expect(related.length).toBeGreaterThan(3);
    const { stdout } = await run(["show", "--related", target], team.urlOf("ada"));
    expect(stdout).not.toContain("TOUCHED");
    expect(stdout).toEndWith(
      "Compared by what was said. To compare touched files as well, search on your machine: leave out --db.\n",
    );
  });

  test("stats and cards count no recalls", async () => {
    const stats = JSON.parse((await run(["report", "--text", "--json"], team.urlOf("ada"))).stdout);
    expect(stats.recall).toBeNull();
  });

  test.each(Object.entries(LOCAL))(
    "%s %p works on the local memory only, and says so",
    async (name, args) => {
      const { exitCode, stdout, stderr } = await run([name, ...args], team.urlOf("ada"));
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 64,
        stdout: "",
        stderr:
          "mementor: This works only with the local memory, not with a team's database.\n  Leave out --db.\n",
      });
    },
  );
});

test("commands and tools ask a team's database all that it can be asked", async () => {
  // What has no vector yet is found by its words alone, and measured apart.
  await team.admin.unsafe("DELETE FROM mementor.chunk_vectors WHERE chunk_id % 2 = 0");
  const asked = new Set<string>();
  const runtimeOf = (argv: readonly string[]) => {
    const { host } = hostIn({ argv, cwd: project, homeDir: directory.path, now: NOW });
    return new Watched(host, { databaseUrl: team.urlOf("ada") }, asked);
  };
  for (const argv of COMMANDS) {
    const command = await loadCommand(argv[0] ?? "");
    if (command === null) throw new Error(`there is no command ${argv[0]}`);
    await command.run(parseLine(argv, command), runtimeOf(argv)).catch(() => null);
  }
  const memory = openMemory(runtimeOf([]), project);
  for (const tool of TOOLS.filter(({ writes }) => !writes)) {
    const args = tool.name === "file_history" ? { path: "src/db/schema.ts" } : { query: "x" };
    await tool.call(args, memory).catch(() => null);
  }
  expect([...asked].sort()).toEqual(await readMethods());
});
