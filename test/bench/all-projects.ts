import { Database } from "bun:sqlite";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { memoryPaths, newId } from "../../src/project/memory.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { Sandbox } from "../support/sandbox.ts";
import { inTurn, measured, type Row, type Sample } from "./measure.ts";
import { randomText, Synthetic } from "./synthetic.ts";

const PROJECTS = [10, 100];
const CHUNKS = 10_000;
/** The memories of the projects are copies of this many different ones. */
const DIFFERENT = 4;
const RUNS = 11;
const WORDS = 9;

/**
 * Measures `search --all-projects` from its start to its end, in registries of 10 and 100 projects with 10,000 made-up
 * chunks each, beside the search of one of them.
 */
export async function measureAllProjects(projects: readonly number[] = PROJECTS): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const runs: { what: string; run: () => Promise<Sample> }[] = [];
  let seed = 9_000_003;
  for (const count of projects) {
    const sandbox = stack.use(await Sandbox.create());
    await fill(sandbox, count);
    const total = (count * CHUNKS).toLocaleString("en");
    runs.push({
      what: `${count} projects, ${total} chunks in all`,
      run: () => measured(sandbox, ["search", randomText(seed++, WORDS), "--all-projects", "--json"]),
    });
    if (runs.length === 1)
      runs.unshift({
        what: "one project",
        run: () => measured(sandbox, ["search", randomText(seed++, WORDS), "--json"]),
      });
  }
  const samples = await inTurn(
    runs.map(({ run }) => run),
    RUNS,
  );
  return runs.map(({ what }, i) => ({
    what,
    ms: samples[i]?.ms ?? Number.NaN,
    maxRss: samples[i]?.maxRss ?? null,
    baseline: "one project of 10,000 chunks",
    baselineMs: samples[0]?.ms ?? Number.NaN,
  }));
}

async function fill(sandbox: Sandbox, count: number): Promise<void> {
  const dataDir = join(sandbox.home, ".local/share/mementor");
  const records = [];
  const made: string[] = [];
  for (let i = 0; i < count; i++) {
    const root = i === 0 ? sandbox.project : join(sandbox.root, "projects", `project-${i}`);
    const id = newId();
    const { directory, databaseFile } = memoryPaths(dataDir, id);
    mkdirSync(root, { recursive: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const original = made[i % DIFFERENT];
    if (original === undefined) made.push(await fillOne(databaseFile, id, i));
    else copyMemory(original, databaseFile, id);
    records.push({ root, id, since: "2026-01-01T00:00:00.000Z", enabled: true, settings: [] });
  }
  const configDir = join(sandbox.home, ".config/mementor");
  mkdirSync(configDir, { recursive: true });
  const registry = { version: 1, allProjects: false, projects: records };
  writeFileSync(join(configDir, "projects.json"), JSON.stringify(registry));
}

async function fillOne(file: string, id: string, index: number): Promise<string> {
  const store = await openSqliteStore({
    file,
    mode: "create",
    vecLibrary: null,
    vectorBackend: "scan",
    busyTimeoutMs: 10_000,
    now: () => new Date().toISOString(),
    tombstoneKey: () => new Uint8Array(32),
    identity: { id, adopt: false },
  });
  await new Synthetic(BUILT_IN_MODEL.dimensions, index * CHUNKS).fill(store, CHUNKS);
  await store.close();
  return file;
}

function copyMemory(from: string, to: string, id: string): void {
  copyFileSync(from, to);
  using db = new Database(to);
  db.run("UPDATE meta SET value = ? WHERE key = 'identity'", [id]);
}
