import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";

const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");
const WITH_SECRET = join(
  SAMPLE,
  "projects",
  "-home-dev-tidemark",
  "0a7e3f8c-1b2d-4c3e-9f45-6a5b4c3d2e10.jsonl",
);

let sandbox: Sandbox;
let first: { exitCode: number | null; stdout: string; stderr: string };

beforeAll(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  first = await sandbox.run(["ingest", SAMPLE, "--text-only", "--json"]);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

describe("ingest, on the compiled binary in a fresh HOME", () => {
  test("stores every transcript once and accounts for every line", () => {
    const report = JSON.parse(first.stdout);
    const skipped = Object.values<number>(report.lines.skipped).reduce((a, b) => a + b, 0);
    expect(first.exitCode).toBe(0);
    expect(report.files).toEqual({ read: 14, unchanged: 0, rewritten: 0, failed: 0, excluded: 0 });
    expect(report.sessions).toBe(12);
    expect(report.turns).toEqual({ inserted: 62, updated: 0 });
    expect(report.lines.total).toBe(report.lines.indexed + skipped);
  });

  test("makes a vector of every chunk", async () => {
    const file = join(sandbox.root, "embedded.db");
    const { stdout } = await sandbox.run(["ingest", WITH_SECRET, "--db", file, "--json"]);
    const { chunks } = JSON.parse(stdout);
    expect(chunks).toEqual({ written: 8, embedded: 8, reused: 0, pending: 0 });
  });

  test("does nothing the second time, and says so", async () => {
    const { stdout, exitCode } = await sandbox.run(["ingest", SAMPLE, "--text-only"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "Nothing new in 14 transcripts.\n", exitCode: 0 });
  });

  test("keeps the memory to its owner and out of git", async () => {
    const memory = sandbox.memory();
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(memory)).toBe("700");
    expect(await mode(join(memory, "mementor.db"))).toBe("600");
    expect(await Bun.file(join(sandbox.project, ".mementor", ".gitignore")).text()).toBe("*\n");
  });

  test("stores nothing of the secret in the sample", () => {
    const secret = /npm_FAKE\w+/.exec(readFileSync(WITH_SECRET, "utf8"))?.[0] ?? "none";
    const files = readdirSync(sandbox.memory(), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => readFileSync(file, "latin1").includes(secret.slice(4, 20)))).toEqual([]);
  });

  test("stores no secret", async () => {
    const token = `${"np"}m_${Array.from({ length: 36 }, (_, at) => "k3Zq9Tw7Lx2Vb8Nd5R"[(at * 7 + (at >> 3)) % 18]).join("")}`;
    const transcript = join(sandbox.root, "secret.jsonl");
    const prompt = {
      type: "user",
      uuid: "5ec2e700-0000-4000-8000-0000000000aa",
      sessionId: "5ec2e700-0000-4000-8000-0000000000ab",
      cwd: sandbox.project,
      message: { role: "user", content: `Publish with ${token} please, then tag it` },
    };
    await Bun.write(transcript, `${JSON.stringify(prompt)}\n`);
    await sandbox.run(["ingest", transcript, "--text-only"]);
    const database = Buffer.from(await Bun.file(sandbox.memory("mementor.db")).bytes());
    expect([database.includes("then tag it"), database.includes(token)]).toEqual([true, false]);
  });

  test("uses the database that --db names", async () => {
    const file = join(sandbox.root, "other", "memory.db");
    const { stdout } = await sandbox.run(["ingest", SAMPLE, "--db", file, "--text-only", "--json"]);
    const report = JSON.parse(stdout);
    // Rows of tool calls get no vector.
    expect(report.chunks).toEqual({ written: 108, embedded: 0, reused: 0, pending: 106 });
  });

  test("names what is missing and fails, without touching the rest", async () => {
    const { exitCode, stderr } = await sandbox.run(["ingest", join(sandbox.root, "nowhere")]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("nowhere");
  });

  test("shows a turn whole, and clearly says when there is none", async () => {
    const found = await sandbox.run(["show", "3", "--json"]);
    expect(JSON.parse(found.stdout)).toMatchObject({ turn_id: 3, branch: "feat/store", role: "turn" });
    const missing = await sandbox.run(["show", "4711"]);
    expect({ exitCode: missing.exitCode, stdout: missing.stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(missing.stderr).toContain("4711");
  });
});

describe("wrong usage", () => {
  test.each([
    [["serach", "x"], 'Did you mean "mementor search"?'],
    [["ingest", "--all"], 'There is no option "--all".'],
    [["show"], "<turn|session|path> is missing."],
    [["show", "x", "y"], 'There is one argument too many: "y".'],
    [["show", "1", "--nope"], 'There is no option "--nope".'],
  ])("%p exits 64 and helps", async (args, hint) => {
    const { exitCode, stdout, stderr } = await sandbox.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
    expect(stderr).toContain(hint);
  });
});
