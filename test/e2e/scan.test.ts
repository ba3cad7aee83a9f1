import { Database, SQLiteError } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { enabled } from "../support/enabled.ts";
import { letThrough } from "../support/let-through.ts";
import { BASE62, randomText } from "../support/random-text.ts";
import { Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";

const SCHEMA = join(import.meta.dir, "..", "..", "fixtures", "schemas", "doctor-secrets.schema.json");
const random = randomText(411);
const TOKEN = `ghp_${random(BASE62, 36)}`;
const PASSWORD = `7${random(BASE62, 15)}`;
const [A, B] = ["zzplaceholdera", "zzplaceholderb"];
const TURNS = 420;
/** Two in each turn but the last, which no prompt with secrets follows, and two outside texts. */
const SECRETS = 2 * (TURNS - 1) + 2;

let sandbox: Sandbox;
let database: string;

/** A memory as an older version left it: every second turn holds secrets. */
beforeEach(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const transcript = join(sandbox.root, "s1.jsonl");
  const lines = Array.from({ length: TURNS }, (_, i) => entriesOf(i)).flat();
  await Bun.write(transcript, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  await sandbox.run(["ingest", transcript, "--text-only"]);
  database =
    readdirSync(sandbox.memory(), { recursive: true, encoding: "utf8" })
      .map((name) => sandbox.memory(name))
      .find((name) => name.endsWith(".db")) ?? "";
  letThrough(database, { [A]: TOKEN, [B]: PASSWORD });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

function entriesOf(turn: number): object[] {
  const said = turn % 2 === 0 ? `Push ${turn} with ${A}.\nDB_PASSWORD=${B}` : `Paint the fence ${turn}.`;
  return ["user", "assistant"].map((role, i) => ({
    type: role,
    uuid: `5ec2e700-0000-4000-8000-${String(turn * 2 + i).padStart(12, "0")}`,
    sessionId: "5ec2e700-0000-4000-8000-000000000001",
    cwd: sandbox.project,
    gitBranch: `fix/${A}`,
    timestamp: new Date(Date.UTC(2026, 1, 1, 10, 0, turn)).toISOString(),
    message: { role, content: i === 0 ? said : [{ type: "text", text: `Done ${turn}.` }] },
  }));
}

/** The files of the memory whose bytes hold a secret. */
function remains(): string[] {
  return readdirSync(sandbox.memory(), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => {
      const bytes = readFileSync(file).toString("latin1").toLowerCase();
      return [TOKEN, PASSWORD].some((secret) => bytes.includes(secret.toLowerCase()));
    });
}

async function scan(...args: string[]) {
  const { exitCode, stdout, stderr } = await sandbox.run(["doctor", "--secrets", ...args]);
  expect(stderr).toBe("");
  for (const secret of [TOKEN, PASSWORD]) expect(stdout).not.toContain(secret);
  return { exitCode, stdout };
}

async function scanJson(...args: string[]) {
  const { exitCode, stdout } = await scan("--json", ...args);
  const report = JSON.parse(stdout);
  const ajv = new Ajv2020({ allErrors: true });
  expect(ajv.validate(JSON.parse(readFileSync(SCHEMA, "utf8")), report) ? [] : ajv.errors).toEqual([]);
  return { exitCode, report };
}

async function secretsCheck() {
  const { stdout } = await sandbox.run(["doctor", "--json"]);
  const { state, advice } = JSON.parse(stdout).find(({ name }: { name: string }) => name === "secrets");
  return { state, advice };
}

test("shows what it finds without its value, removes it with its bytes, and finds nothing afterwards", async () => {
  const advice = 'Run "mementor doctor --secrets --fix".';
  expect(await secretsCheck()).toEqual({ state: "warning", advice });
  const { exitCode, report } = await scanJson();
  expect({ exitCode, ...report, found: report.found.length }).toEqual({
    exitCode: 1,
    found: SECRETS,
    changed: null,
    rewritten: null,
    copies: [],
  });
  expect(report.found.slice(0, 2)).toEqual([
    { turn: 1, place: "text", kind: "github-token", chars: 40 },
    { turn: 1, place: "text", kind: "password", chars: 16 },
  ]);
  expect(await secretsCheck()).toEqual({ state: "warning", advice });
  const shown = await scan();
  expect(shown.exitCode).toBe(1);
  expect(shown.stdout).toStartWith(`Found ${SECRETS} secrets:\n  #1  text  github-token, 40 characters\n`);
  expect(shown.stdout).toEndWith('Remove them with "mementor doctor --secrets --fix".\n');
  const fixed = await scanJson("--fix");
  expect({ ...fixed.report, found: fixed.report.found.length, exitCode: fixed.exitCode }).toEqual({
    exitCode: 0,
    found: SECRETS,
    changed: TURNS + 1,
    rewritten: true,
    copies: [],
  });
  expect(remains()).toEqual([]);
  expect(await scan()).toEqual({ exitCode: 0, stdout: "No secrets were found.\n" });
  expect(await secretsCheck()).toEqual({ state: "ok", advice: null });
  const { stdout } = await sandbox.run(["show", "1"]);
  expect(stdout).toContain("DB_PASSWORD=[redacted:password]");
});

/** What the database says of how far cleaning has come; null also while a process recovers it from a kill. */
function meta(key: string): string | null {
  const db = new Database(database, { readonly: true });
  try {
    return (
      db.query<{ value: string }, [string]>("SELECT value FROM meta WHERE key = ?").get(key)?.value ?? null
    );
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) return null;
    throw error;
  } finally {
    db.close();
  }
}

test("may be killed at any point, and ends what it began", async () => {
  const points: (() => boolean)[] = [
    () => true,
    () => (meta("secret_rules_progress") ?? meta("secret_rules")) !== null,
    () => Number((meta("secret_rules_progress") ?? "0 400").split(" ")[1]) >= 300,
    () => meta("secret_rules") !== null,
  ];
  for (const reached of points) {
    const child = sandbox.start(["doctor", "--secrets", "--fix"]);
    await until("cleaning has come so far", () => reached() || child.exitCode !== null);
    child.kill("SIGKILL");
    await child.exited;
  }
  expect((await scan("--fix")).exitCode).toBe(0);
  expect(remains()).toEqual([]);
  expect((await scanJson()).report.found).toEqual([]);
});
