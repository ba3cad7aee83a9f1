import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { refusePlanted } from "../../src/project/planted.ts";

const dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-planted-")));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const outer = join(dir, "outer");
const inner = join(outer, "inner");
for (const top of [outer, inner]) {
  for (const part of ["objects", "refs"]) mkdirSync(join(top, ".git", part), { recursive: true });
  writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/main\n");
}

test("a repository around that of the directory plants nothing, either", async () => {
  const elsewhere = join(dir, "elsewhere");
  const bin = join(outer, "bin");
  const env: Record<string, string | undefined> = {
    HOME: homedir(),
    XDG_CONFIG_HOME: join(outer, ".x"),
    XDG_DATA_HOME: elsewhere,
    PATH: bin,
  };
  expect(await refusePlanted(env, inner)).toEqual(["XDG_CONFIG_HOME"]);
  expect(env).toEqual({ HOME: homedir(), XDG_DATA_HOME: elsewhere, PATH: bin });
});
