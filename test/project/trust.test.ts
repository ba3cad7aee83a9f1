import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryPaths } from "../../src/project/memory.ts";
import { readRegistry, registryPath } from "../../src/project/registry.ts";
import { isTrusted, memoryOrigin, memoryPlace, projectTrust } from "../../src/project/trust.ts";

const ID = "0123456789abcdef0123456789abcdef";

let dir = "";
let root = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-trust-")));
  root = join(dir, "clone");
  mkdirSync(join(root, ".mementor"), { recursive: true });
  mkdirSync(join(dir, "config"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const dirs = () => ({ configDir: join(dir, "config"), dataDir: join(dir, "data") });

function plant(name: string, text: string): void {
  writeFileSync(join(root, ".mementor", name), text);
}

/** A memory that came with the tree, which names itself as one in the tree would be named. */
function plantDatabase(): void {
  using db = new Database(join(root, ".mementor", "mementor.db"));
  db.run("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
  db.run("INSERT INTO meta VALUES ('memory_id', '.mementor')");
}

function register(allProjects: boolean, ...records: object[]): void {
  const projects = records.map((record) => ({
    root,
    id: ID,
    since: "2026-01-02T03:04:05.000Z",
    enabled: true,
    settings: [],
    ...record,
  }));
  writeFileSync(registryPath(join(dir, "config")), JSON.stringify({ version: 1, allProjects, projects }));
}

const found = () => ({
  origin: memoryOrigin(dirs(), root),
  trust: projectTrust(dirs(), root),
  isTrusted: isTrusted(dirs(), root),
});

test("a database in the tree is never the project's own, whatever is enabled", () => {
  plantDatabase();
  expect(found()).toEqual({ origin: "foreign", trust: "off", isTrusted: false });
  register(true);
  expect(found()).toEqual({ origin: "foreign", trust: "foreign", isTrusted: false });
  register(false, { id: null });
  expect(found()).toEqual({ origin: "foreign", trust: "foreign", isTrusted: false });
});

test("a pointer and an id in the tree lead to no memory that the registry does not name", () => {
  const { directory } = memoryPaths(dirs().dataDir, ID);
  mkdirSync(directory, { recursive: true });
  plant("pointer.json", JSON.stringify({ id: ID, memory: directory }));
  plant("id", ID);
  register(true, { root: join(dir, "other") });
  mkdirSync(join(dir, "other"));
  expect(found()).toEqual({ origin: "none", trust: "new", isTrusted: false });
  expect(memoryPlace(dirs(), root).directory).toBe(join(root, ".mementor"));
});

test("the memory that the registry names is the one in the user's own directory, whatever lies in the tree", () => {
  plantDatabase();
  const { directory } = memoryPaths(dirs().dataDir, ID);
  mkdirSync(directory, { recursive: true });
  register(false, {});
  expect(found()).toEqual({ origin: "own", trust: "trusted", isTrusted: true });
  expect(memoryPlace(dirs(), root, readRegistry(dirs().configDir)).directory).toBe(directory);
});

test("a registered memory that is gone is not replaced by what lies in the tree", () => {
  plantDatabase();
  register(false, {});
  expect(found()).toEqual({ origin: "none", trust: "new", isTrusted: false });
});
