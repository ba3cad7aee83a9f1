import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { sha256OfFile } from "../../src/assets/directory.ts";
import { hostTarget } from "../../src/assets/target.ts";
import { freshBinary } from "../support/binary.ts";

const ROOT = resolve(import.meta.dir, "../..");
const ELSEWHERE = join(ROOT, ".cache", "another directory");
const SOURCES = [
  "src",
  ".github",
  "README.md",
  "node_modules",
  "build.ts",
  "package.json",
  "bunfig.toml",
  "tsconfig.json",
];
const isLinux = process.platform === "linux";

beforeAll(() => {
  if (!isLinux) return;
  rmSync(ELSEWHERE, { recursive: true, force: true });
  mkdirSync(ELSEWHERE, { recursive: true });
  expect(Bun.spawnSync(["cp", "-al", ...SOURCES, ELSEWHERE], { cwd: ROOT }).exitCode).toBe(0);
});
afterAll(() => {
  rmSync(ELSEWHERE, { recursive: true, force: true });
});

/** Builds a target in a directory, as of the commit of this checkout, and returns the binary's hash. */
async function hashOf(target: string, cwd: string): Promise<string> {
  const gitDirectory = Bun.spawnSync(["git", "rev-parse", "--absolute-git-dir"], { cwd: ROOT }).stdout;
  const outfile = join(cwd, ".cache", "reproducible", "mementor");
  const env = { ...process.env, GIT_DIR: gitDirectory.toString().trim() };
  const command = [process.execPath, "build.ts", "--target", target, "--outfile", outfile];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, env });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  const hash = await sha256OfFile(outfile);
  rmSync(outfile);
  return hash;
}

/** The hash of what is built here; where this checkout has just been built, as for `bun run check`, that is it. */
async function hashHere(target: string): Promise<string> {
  const binary = freshBinary();
  const commit = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { cwd: ROOT })
    .stdout.toString()
    .trim();
  const version = Bun.spawnSync([binary, "--version"]).stdout.toString();
  return version.includes(`(${commit}, `) ? sha256OfFile(binary) : hashOf(target, ROOT);
}

test.skipIf(!isLinux)("a binary has the same bytes whatever directory it is built in", async () => {
  const target = hostTarget() ?? "";
  expect(await hashOf(target, ELSEWHERE)).toBe(await hashHere(target));
});
