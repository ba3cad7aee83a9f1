import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderName } from "../../src/agents/claude-code/project-sessions.ts";
import { runChecks } from "../../src/cli/commands/doctor/examine.ts";
import { enabled, withoutModel } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { ingestSample } from "./sample.ts";

const cacheDir = mkdtempSync(join(tmpdir(), "mementor-cache-"));

let sandbox: Sandbox;
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));
beforeEach(async () => {
  sandbox = await Sandbox.create({ cacheDir });
  await enabled(sandbox);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const memory = (...names: string[]) => sandbox.memory(...names);
const settings = () => join(sandbox.project, ".claude", "settings.local.json");

interface Diagnosis {
  name: string;
  state: string;
  message: string;
  advice: string | null;
  fixed: string | null;
}

/** Everything that is not fine, and the exit code. */
async function doctor(...args: string[]) {
  const { exitCode, stdout, stderr } = await sandbox.run(["doctor", "--json", ...args]);
  expect(stderr).toBe("");
  return diagnosesOf(exitCode, stdout);
}

/** The same without the binary: for what neither its files nor the model have to do with. */
async function doctorHere({ fix = false } = {}) {
  const { runtime, written } = withoutModel(sandbox);
  const exitCode = await runChecks({ fix, json: true }, runtime);
  expect(written.stderr).toBe("");
  return diagnosesOf(exitCode, written.stdout);
}

function diagnosesOf(exitCode: number | null, stdout: string) {
  const found: Diagnosis[] = JSON.parse(stdout);
  const wrong = Object.fromEntries(
    found.filter(({ state }) => state !== "ok").map(({ name, state }) => [name, state]),
  );
  const get = (name: string) => found.find((diagnosis) => diagnosis.name === name);
  return { exitCode, wrong, get };
}

/** Breaks something, and holds that doctor sees it, mends it, and sees nothing afterwards. */
async function isMended(name: string, state: "warning" | "error"): Promise<Diagnosis | undefined> {
  const before = await doctorHere();
  expect({ exitCode: before.exitCode, wrong: before.wrong }).toEqual({
    exitCode: state === "error" ? 1 : 0,
    wrong: { [name]: state },
  });
  expect(before.get(name)?.advice).toContain("mementor");
  const mended = await doctorHere({ fix: true });
  expect({ exitCode: mended.exitCode, wrong: mended.wrong }).toEqual({ exitCode: 0, wrong: {} });
  // Which files are named may differ: SQLite's own come and go.
  expect(mended.get(name)?.fixed).toStartWith(before.get(name)?.message.slice(0, 30) ?? "");
  expect((await doctorHere()).wrong).toEqual({});
  return mended.get(name);
}

test("finds nothing wrong with what enable made, and says so", async () => {
  const { exitCode, stdout } = await sandbox.run(["doctor"]);
  expect(exitCode).toBe(0);
  expect(stdout).toEndWith("\nEverything is fine.\n");
  expect(stdout).toMatch(/ok\s+round-trip\s+A text was embedded, stored and found again/);
});

test("tells of a project that is not enabled", async () => {
  await sandbox.run(["disable", "--purge", "--yes"]);
  const { exitCode, wrong, get } = await doctor();
  expect({ exitCode, wrong }).toEqual({ exitCode: 1, wrong: { hooks: "error", trust: "error" } });
  expect(get("hooks")?.advice).toBe('Run "mementor enable".');
});

test.each([
  [
    "changed in one byte",
    (file: string) => {
      const bytes = readFileSync(file);
      bytes[1000] = (bytes[1000] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
  ["cut short", (file: string) => truncateSync(file, 1000)],
])("files of the cache that were %s are written again", async (_name, damage) => {
  const [version = ""] = readdirSync(join(cacheDir, "mementor"));
  damage(join(cacheDir, "mementor", version, "libonnxruntime.so.1"));
  // Whatever is loaded before the check mends a file of the wrong size by itself.
  const before = await doctor();
  expect(before.wrong).toEqual({ assets: "error" });
  expect((await doctor("--fix")).wrong).toEqual({});
  expect((await doctor()).wrong).toEqual({});
});

test("a damaged database is set aside, and what can be read is carried over", async () => {
  await ingestSample(sandbox);
  const db = new Database(memory("mementor.db"));
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const [page] = db
    .query<{ pageno: number }, []>("SELECT pageno FROM dbstat WHERE name = 'turns_by_time'")
    .all();
  db.close();
  const bytes = readFileSync(memory("mementor.db"));
  bytes.fill(0xa5, ((page?.pageno ?? 1) - 1) * 8192, (page?.pageno ?? 1) * 8192);
  writeFileSync(memory("mementor.db"), bytes);
  const mended = await isMended("database", "error");
  const [aside = ""] = readdirSync(memory()).filter((name) => /\.damaged-[0-9T]+$/.test(name));
  expect(mended?.message).toContain(aside);
  expect(readFileSync(memory(aside))).toEqual(bytes);
  const { database } = JSON.parse((await sandbox.run(["status", "--json"])).stdout);
  expect(database.content).toMatchObject({ sessions: 12, turns: 62 });
  const found = JSON.parse((await sandbox.run(["search", "sqlite bookmarks", "--json"])).stdout);
  expect(found.results.length).toBeGreaterThan(0);
});

test.each([
  ["no database", () => "not a database ".repeat(1000)],
  ["another program's database", otherDatabase],
])("a file that is %s is never moved, and doctor says what to do", async (_name, content) => {
  const file = join(sandbox.root, "notes.txt");
  writeFileSync(file, content());
  const before = readFileSync(file);
  const { exitCode, stdout } = await sandbox.run(["doctor", "--fix", "--db", file]);
  expect([exitCode, readFileSync(file).equals(before)]).toEqual([1, true]);
  expect(stdout).toMatch(
    /is not a mementor database, so it is left alone: .*notes\.txt\n +Name another database with --db/,
  );
  expect(stdout).not.toContain("doctor --fix");
  expect(readdirSync(sandbox.root).filter((name) => name.startsWith("notes"))).toEqual(["notes.txt"]);
});

/** A database of another program, with a page that is damaged. */
function otherDatabase(): Buffer {
  const file = join(sandbox.root, "other.db");
  const db = new Database(file);
  db.run("CREATE TABLE notes (text TEXT)");
  db.run("INSERT INTO notes VALUES (hex(randomblob(5000)))");
  db.close();
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes.fill(0xa5, 4096, 8192);
}

test("a database of a newer version is left alone", async () => {
  const db = new Database(memory("mementor.db"));
  db.run("PRAGMA user_version = 9999");
  db.close();
  for (const fix of [false, true]) {
    const { exitCode, wrong, get } = await doctorHere({ fix });
    expect({ exitCode, wrong }).toEqual({ exitCode: 1, wrong: { database: "error" } });
    expect(get("database")?.message).toContain("newer");
  }
  expect(readdirSync(memory()).filter((name) => name.includes("damaged"))).toEqual([]);
});

test("hooks that are missing or outdated are written again", async () => {
  const { hooks, ...rest } = JSON.parse(readFileSync(settings(), "utf8"));
  const { Stop: _, ...others } = hooks;
  others.SessionEnd[0].hooks[0].command = "/old/place/mementor hook session-end";
  writeFileSync(settings(), JSON.stringify({ ...rest, hooks: others }));
  await isMended("hooks", "warning");
  const mended = JSON.parse(readFileSync(settings(), "utf8")).hooks;
  expect([Object.keys(mended).length, mended.Stop.length, mended.SessionEnd.length]).toEqual([8, 1, 1]);
});

test("a session of another project that lay in this one's folder is set aside for it", async () => {
  const other = `${sandbox.project.slice(0, -1)}.`;
  const folder = join(sandbox.home, ".claude/projects", folderName(sandbox.project));
  mkdirSync(other);
  mkdirSync(folder, { recursive: true });
  const session = (id: string, cwd: string, words: string) => {
    const entry = {
      type: "user",
      uuid: `${id}-1`,
      sessionId: id,
      cwd,
      timestamp: "2026-11-01T10:00:00.000Z",
    };
    const file = join(folder, `${id}.jsonl`);
    writeFileSync(file, `${JSON.stringify({ ...entry, message: { role: "user", content: words } })}\n`);
    return file;
  };
  const files = [
    session("aaaaaaaa-0000-4000-8000-000000000001", other, "The captain's wages stay in the other project"),
    session("bbbbbbbb-0000-4000-8000-000000000002", join(sandbox.project, "src"), "Paint the ferry's hull"),
    session("cccccccc-0000-4000-8000-000000000003", `${sandbox.project}-gone`, "Perhaps before a rename"),
  ];
  expect((await sandbox.run(["ingest", "--text-only", ...files])).exitCode).toBe(0);
  const before = await doctor();
  expect(before.wrong).toMatchObject({ sessions: "error" });
  expect(before.get("sessions")?.message).toContain(other);
  const mended = await doctor("--fix");
  expect(mended.get("sessions")?.fixed).not.toBeNull();
  expect((await doctor()).wrong).not.toHaveProperty("sessions");
  const idsIn = async (...args: string[]) => {
    const { stdout } = await sandbox.run(["sessions", "--json", ...args]);
    const { sessions }: { sessions: { session_id: string }[] } = JSON.parse(stdout);
    return sessions.map(({ session_id: id }) => id.slice(0, 8)).sort();
  };
  expect(await idsIn()).toEqual(["bbbbbbbb", "cccccccc"]);
  const aside = memory("of-another-project-aaaaaaaa-0000-4000-8000-000000000001.jsonl");
  expect(statSync(aside).mode & 0o777).toBe(0o600);
  await enabled(sandbox, other);
  expect((await sandbox.run(["import", aside, "-C", other])).exitCode).toBe(0);
  const { stdout } = await sandbox.run(["show", "aaaaaaaa", "-C", other]);
  expect(stdout).toContain("The captain's wages stay in the other project");
});

test("files that others can reach are closed", async () => {
  chmodSync(memory(), 0o755);
  chmodSync(memory("mementor.db"), 0o644);
  await isMended("permissions", "warning");
  expect([statSync(memory()).mode & 0o777, statSync(memory("mementor.db")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test("transcripts that Claude Code deletes too soon are a warning; the default is fine", async () => {
  const text = JSON.parse(readFileSync(settings(), "utf8"));
  writeFileSync(settings(), JSON.stringify({ ...text, cleanupPeriodDays: 2 }));
  const { exitCode, wrong, get } = await doctorHere();
  expect({ exitCode, wrong }).toEqual({ exitCode: 0, wrong: { cleanup: "warning" } });
  expect(get("cleanup")?.message).toContain("after 2 days");
  writeFileSync(settings(), JSON.stringify({ ...text, cleanupPeriodDays: 90 }));
  expect((await doctorHere()).wrong).toEqual({});
});

test("settings, registry and configuration that cannot be read are named", async () => {
  writeFileSync(join(sandbox.project, ".claude", "settings.json"), '{\n  "hooks": [}');
  writeFileSync(memory("config.json"), '{ "search": { "k": "many" } }');
  const { wrong, get } = await doctorHere();
  expect(wrong).toEqual({ settings: "error", config: "warning" });
  expect(get("settings")?.message).toContain("line 2");
  expect(get("config")?.message).toContain("search.k");
  rmSync(join(sandbox.project, ".claude", "settings.json"));
  rmSync(memory("config.json"));
  writeFileSync(join(sandbox.home, ".config", "mementor", "projects.json"), "{");
  expect((await doctorHere()).wrong).toMatchObject({ registry: "error" });
  expect((await sandbox.run(["enable", "--no-history", "--adopt"])).exitCode).toBe(0);
  expect((await doctor()).wrong).toEqual({});
});
