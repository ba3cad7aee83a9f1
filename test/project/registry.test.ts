import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRegistryBroken, readRegistry, registryPath } from "../../src/project/registry.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-registry-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const RECORD = {
  root: "/work/app",
  id: "0123456789abcdef0123456789abcdef",
  since: "2026-01-02T03:04:05.000Z",
  enabled: true,
  settings: ["/work/app/.claude/settings.json"],
};
const REGISTRY = { version: 1, allProjects: false, projects: [RECORD] };

function written(value: unknown) {
  writeFileSync(registryPath(dir), JSON.stringify(value));
  return { registry: readRegistry(dir), isBroken: isRegistryBroken(dir) };
}

const withRecord = (fields: object) => ({ ...REGISTRY, projects: [RECORD, { ...RECORD, ...fields }] });

test.each([
  ["one record", REGISTRY],
  ["a record without a memory", withRecord({ id: null })],
  [
    "former roots and a repository",
    withRecord({ former: ["/old"], repository: { rootCommits: [], remote: null } }),
  ],
  ["a remote", withRecord({ repository: { rootCommits: ["abc"], remote: "git@example.com:app.git" } })],
  ["a refusal", { ...REGISTRY, declined: ["codex"] }],
])("a registry with %s is read as it is", (_what, value) => {
  expect<unknown>(written(value)).toEqual({ registry: value, isBroken: false });
});

test.each([
  ["null", null],
  ["another version", { ...REGISTRY, version: 2 }],
  ["no list of projects", { ...REGISTRY, projects: {} }],
  ["an id that is a path", withRecord({ id: "../../etc" })],
  ["a number as root", withRecord({ root: 1 })],
  ["a word as a switch", withRecord({ enabled: "yes" })],
  ["settings that are no texts", withRecord({ settings: [null] })],
  ["a former root that is no text", withRecord({ former: [{}] })],
  ["a repository without a remote", withRecord({ repository: { rootCommits: [] } })],
  ["a refusal that is no text", { ...REGISTRY, declined: [1] }],
])("a registry with %s counts as empty, and as broken", (_what, value) => {
  const registry = { version: 1 as const, allProjects: false, projects: [] };
  expect(written(value)).toEqual({ registry, isBroken: true });
});
