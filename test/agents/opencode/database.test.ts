import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readDatabase } from "../../../src/agents/foreign-database.ts";
import { containerOf } from "../../../src/agents/list.ts";
import { opencode } from "../../../src/agents/opencode/agent.ts";
import { findProject } from "../../../src/io/git/project.ts";
import { TestMemory } from "../../ingest/memory.ts";
import { readAll } from "../../support/read-turns.ts";
import { ingested, sessionsOf, sourcesOf, withHome } from "../sources.ts";
import { change, databaseIn, installDatabase, installFiles } from "./home.ts";

const PROJECT = "/home/dev/orchard";
const FIRST = "ses_e0a1b2c3dffeAppleTree01";
const LIVE = "What is said while opencode runs";

/** Another process that opens a database as opencode does, says something in the first session, and waits. */
const WRITER = `
  const { Database } = await import("bun:sqlite");
  const database = new Database(process.argv[1]);
  database.run("PRAGMA busy_timeout = 0");
  database.run("PRAGMA wal_autocheckpoint = 0");
  const say = (id) => {
    const user = JSON.stringify({ role: "user", time: { created: 1800000000000 + id } });
    database.run("INSERT INTO message VALUES (?, ?, ?, 1, ?)", ["msg_9" + id, "${FIRST}", 1800000000000 + id, user]);
    const part = JSON.stringify({ type: "text", text: "${LIVE} (" + id + ")" });
    database.run("INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)", ["prt_9" + id, "msg_9" + id, "${FIRST}", part]);
  };
  say(Number(process.argv[2]));
  console.log("said");
  if (process.argv[3] === "wait") await Bun.stdin.text();
  if (process.argv[3] === "die") process.kill(process.pid, "SIGKILL");
`;

function writer(file: string, id: number, then: "wait" | "die" | "leave") {
  return Bun.spawn([process.execPath, "-e", WRITER, file, String(id), then], {
    stdin: "pipe",
    stdout: "pipe",
  });
}

/** Every file of a folder with its bytes. */
function bytesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).sort();
  return Object.fromEntries(
    files.map((name) => [name, Bun.hash(readFileSync(join(folder, name))).toString(36)]),
  );
}

async function said(file: string): Promise<string> {
  const { turns } = await readAll(join(file, FIRST));
  return turns.at(-1)?.text.split("\n")[0] ?? "";
}

/** Reads all that can be read of a home directory, and expects that nothing in it has changed. */
async function expectUntouched(home: string, expected: string): Promise<void> {
  const file = databaseIn(home);
  const before = bytesOf(dirname(file));
  const sources = await sourcesOf(opencode, home, PROJECT);
  expect([sources.length, await said(file)]).toEqual([4, expected]);
  await ingested(sources);
  expect(bytesOf(dirname(file))).toEqual(before);
}

test("a database that opencode has closed is left as it is", () =>
  withHome(async (home) => {
    installDatabase(home);
    expect(readdirSync(dirname(databaseIn(home)))).toEqual(["opencode.db"]);
    await expectUntouched(home, '[User] Count from one, run "rake test" and commit.');
  }));

test("a database that opencode has open is read with its log, and is left as it is", () =>
  withHome(async (home) => {
    installDatabase(home);
    const other = writer(databaseIn(home), 1, "wait");
    await other.stdout.getReader().read();
    expect(readdirSync(dirname(databaseIn(home))).sort()).toEqual([
      "opencode.db",
      "opencode.db-shm",
      "opencode.db-wal",
    ]);
    await expectUntouched(home, `[User] ${LIVE} (1)`);
    other.stdin.end();
    expect(await other.exited).toBe(0);
  }));

test("a database that opencode left when it was killed is read with its log, and is left as it is", () =>
  withHome(async (home) => {
    installDatabase(home);
    await writer(databaseIn(home), 2, "die").exited;
    await expectUntouched(home, `[User] ${LIVE} (2)`);
  }));

test("a copy of a database and its log is read whole, and nothing is put beside it", () =>
  withHome(async (home) => {
    const origin = join(home, "origin");
    installDatabase(origin);
    await writer(databaseIn(origin), 3, "die").exited;
    mkdirSync(dirname(databaseIn(home)), { recursive: true });
    for (const suffix of ["", "-wal"]) copyFileSync(databaseIn(origin) + suffix, databaseIn(home) + suffix);
    rmSync(origin, { recursive: true });
    await expectUntouched(home, `[User] ${LIVE} (3)`);
  }));

test("opencode writes on while a read is under way, and the read sees one state", () =>
  withHome(async (home) => {
    installDatabase(home);
    const file = databaseIn(home);
    const other = writer(file, 4, "wait");
    await other.stdout.getReader().read();
    const counts = readDatabase(file, (database) => {
      const count = () => database.query("SELECT count(*) AS n FROM message").values()[0]?.[0];
      const before = count();
      const { exitCode } = Bun.spawnSync([process.execPath, "-e", WRITER, file, "5", "leave"]);
      return { before, exitCode, after: count() };
    });
    expect(counts).toEqual({ before: 26, exitCode: 0, after: 26 });
    expect(await said(file)).toBe(`[User] ${LIVE} (5)`);
    other.stdin.end();
    await other.exited;
  }));

test("a session that the database has is not read from its old file", () =>
  withHome(async (home) => {
    installFiles(home);
    const files = await sourcesOf(opencode, home, PROJECT);
    expect(files.map((file) => basename(file))).toEqual([
      `${FIRST}.json`,
      "ses_e0a1a0000ffeBarnDoor002.json",
      "ses_e0a19ffffffeCrowNest003.json",
    ]);
    const fromFiles = await ingested(files);
    installDatabase(home);
    change(databaseIn(home), (database) =>
      database.run("DELETE FROM session WHERE id NOT IN (?, 'ses_x')", [FIRST]),
    );
    const sources = await sourcesOf(opencode, home, PROJECT);
    expect(sources.map((source) => basename(source))).toEqual([
      FIRST,
      "ses_e0a1a0000ffeBarnDoor002.json",
      "ses_e0a19ffffffeCrowNest003.json",
    ]);
    expect(opencode.stampOf(files[0] ?? "")).toBeNull();
    expect(await Array.fromAsync(opencode.discover(join(home, ".local")))).toEqual(
      [join(databaseIn(home), FIRST), ...files.slice(1).sort().reverse()].sort(),
    );
    const both = await ingested([...files, ...sources]);
    expect(both.turns?.length).toBe(fromFiles.turns?.length ?? 0);
  }));

test("a fork counts as having seen the turns that it copied", () =>
  withHome(async (home) => {
    installDatabase(home);
    const { turns, copies } = await ingested(await sourcesOf(opencode, home, PROJECT));
    const asked = (turns ?? []).filter((turn) =>
      String(turn.at(-1)).startsWith("[User] Row seven stays dry"),
    );
    expect([asked.length, copies?.length]).toEqual([1, 1]);
  }));

test("databases are found by their names and by OPENCODE_DB", () =>
  withHome(async (home) => {
    installDatabase(home);
    const folder = dirname(databaseIn(home));
    copyFileSync(databaseIn(home), join(folder, "opencode-nightly.db"));
    copyFileSync(databaseIn(home), join(home, "mine.db"));
    rmSync(databaseIn(home));
    const found = (env: Record<string, string>) =>
      sessionsOf(opencode, findProject(PROJECT), { env, homeDir: home, platform: "linux" });
    const databases = (env: Record<string, string>) => [...new Set(found(env).map(containerOf))];
    expect(databases({})).toEqual([join(folder, "opencode-nightly.db")]);
    expect(databases({ OPENCODE_DB: join(home, "mine.db") })).toEqual([
      join(folder, "opencode-nightly.db"),
      join(home, "mine.db"),
    ]);
    expect(databases({ XDG_DATA_HOME: "/nowhere", OPENCODE_DB: ":memory:" })).toEqual([]);
    expect(opencode.roots({ env: { OPENCODE_DB: "/db/x.db" }, homeDir: "/h", platform: "linux" })).toEqual([
      "/h/.local/share/opencode",
      "/db",
    ]);
  }));

test.each([
  "ALTER TABLE session RENAME TO kept; CREATE VIEW session AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n",
  "ALTER TABLE part ADD COLUMN huge AS (hex(zeroblob(200000000)))",
])("a database that computes what its tables hold is left alone: %s", async (sql) => {
  await withHome(async (home) => {
    installDatabase(home);
    const file = databaseIn(home);
    change(file, (database) => database.exec(sql));
    expect(await sourcesOf(opencode, home, PROJECT)).toEqual([file]);
    expect(() => readDatabase(file, () => 1)).toThrow("is a view, or has computed columns");
  });
});

test("a damaged database is told among what could not be read", async () => {
  await using memory = await TestMemory.create();
  await withHome(async (home) => {
    installDatabase(home);
    const file = databaseIn(home);
    writeFileSync(file, readFileSync(file).fill(0x5a, 100));
    const { failures } = await memory.ingest(await sourcesOf(opencode, home, PROJECT), { textOnly: true });
    expect(failures).toEqual([
      { path: file, message: `cannot read ${file}: opencode's database cannot be read` },
    ]);
  });
});
