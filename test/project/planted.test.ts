import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { refusePlanted } from "../../src/project/planted.ts";
import { hostIn } from "../support/host.ts";

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
  const env = {
    HOME: homedir(),
    XDG_CACHE_HOME: elsewhere,
    XDG_CONFIG_HOME: join(outer, ".x"),
    XDG_DATA_HOME: elsewhere,
    PATH: bin,
  };
  const { host } = hostIn({ argv: [], cwd: inner, homeDir: homedir(), now: new Date(0), env });
  await refusePlanted(host, inner);
  expect(host.refused).toEqual(["XDG_CONFIG_HOME"]);
  const { LANG: _, ...left } = host.env;
  expect(left).toEqual({ HOME: homedir(), XDG_CACHE_HOME: elsewhere, XDG_DATA_HOME: elsewhere, PATH: bin });
});
