import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { encodeKey, keyId, newKey } from "../../../src/sync/folder/key.ts";
import { hostIn, runIn } from "../../support/host.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync("/tmp/mementor-");
  folder = join(root, "folder");
  for (const name of ["home", "desk", "desk/.git"]) mkdirSync(join(root, name));
  // What another device put: a manifest, which nobody opens without the key.
  const writer = join(folder, "mementor", keyId(KEY), "0".repeat(16), "1".repeat(16));
  mkdirSync(writer, { recursive: true });
  writeFileSync(join(writer, "manifest"), "sealed");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const place = () => ({ cwd: join(root, "desk"), homeDir: join(root, "home"), now: NOW });
const connect = (...more: string[]) => runIn({ argv: ["sync", folder, ...more], ...place() });
const keysIn = (directory: string) => readdirSync(join(directory, "mementor"));

test.each<[string, string, string]>([
  ["is empty", "", "contains no folder code. It is empty."],
  ["holds only line breaks", "\n\n", "contains no folder code. It is empty."],
  ["holds other words", "hello there\n", "contains no folder code. Word 1 of the code is none."],
  ["has lost a word", encodeKey(KEY).replace(/ \w+$/, ""), 'The code has 17 words after "memkey", not 16.'],
])("a key file that %s joins nothing, and makes no second key", async (_, text, problem) => {
  writeFileSync(join(root, "words"), text);
  const { exitCode, stdout, stderr } = await connect("--key-file", join(root, "words"));
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
  expect(stderr).toContain(problem);
  expect(keysIn(folder)).toEqual([keyId(KEY)]);
  expect(readdirSync(join(root, "home"))).toEqual([]);
});

test("an empty key file starts no folder either", async () => {
  const empty = join(root, "empty");
  mkdirSync(empty);
  writeFileSync(join(root, "words"), "");
  const { exitCode } = await runIn({ argv: ["sync", empty, "--key-file", join(root, "words")], ...place() });
  expect({ exitCode, files: readdirSync(empty) }).toEqual({ exitCode: 64, files: [] });
});

test.each<[string, string | null]>([
  ["nothing", null],
  ["an empty line", ""],
  ["a blank line", "  "],
])("a folder of another device gets no second key from %s on standard input", async (_, line) => {
  const { host, written } = hostIn({ argv: ["sync", folder, "--key-file", "-"], ...place() });
  const exitCode = await runCli({ ...host, stdin: { ...host.stdin, readLine: async () => line } });
  expect(exitCode).toBe(64);
  expect(written.stderr).toContain("Standard input contains no folder code. It is empty.");
  expect(keysIn(folder)).toEqual([keyId(KEY)]);
});

test("a code fits a narrow terminal, and is read from there", async () => {
  const shared = join(root, "shared");
  mkdirSync(shared);
  writeFileSync(join(root, "desk/.git/HEAD"), "ref: refs/heads/main\n");
  for (const argv of [
    ["enable", "--no-history"],
    ["sync", shared, "--as", "shop"],
  ])
    expect(await runIn({ argv, ...place() })).toMatchObject({ exitCode: 0 });
  const { stdout } = await runIn({ argv: ["sync", "code"], ...place(), columns: 40 });
  const lines = stdout.slice(stdout.indexOf("memkey")).trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  const { host } = hostIn({
    argv: ["sync", shared],
    cwd: join(root, "desk"),
    homeDir: join(root, "other"),
    now: NOW,
  });
  const pasted = [...lines];
  const stdin = { ...host.stdin, isTerminal: true, readLine: async () => pasted.shift() ?? null };
  expect(await runCli({ ...host, stdin })).toBe(0);
  writeFileSync(join(root, "words"), `What the terminal showed:\n${lines.join("\n")}\n`);
  const third = { cwd: join(root, "desk"), homeDir: join(root, "third"), now: NOW };
  expect(await runIn({ argv: ["sync", shared, "--key-file", join(root, "words")], ...third })).toMatchObject({
    exitCode: 0,
  });
});

test("what sync code prints is taken from a pipe, alone and with what it is for", async () => {
  const shared = join(root, "shared");
  mkdirSync(shared);
  writeFileSync(join(root, "desk/.git/HEAD"), "ref: refs/heads/main\n");
  await runIn({ argv: ["enable", "--no-history"], ...place() });
  await runIn({ argv: ["sync", shared, "--as", "shop"], ...place() });
  const { stdout: piped } = await runIn({ argv: ["sync", "code", "--print"], ...place() });
  const { stdout: shown } = await runIn({ argv: ["sync", "code"], ...place(), columns: 200 });
  expect(piped).toMatch(/^memkey [a-z ]+\n$/);
  expect(shown).toEndWith(`\n\n${piped}`);
  for (const [home, text, more] of [
    ["second", piped, []],
    ["third", shown, []],
    ["fourth", shown, ["--key-file", "-"]],
    ["fifth", piped.replace("memkey ", ""), []],
  ] as const) {
    const argv = ["sync", shared, ...more];
    const { host, written } = hostIn({ ...place(), argv, homeDir: join(root, home) });
    // The pipe stays open, and what is in it comes in pieces.
    const chunks = async function* () {
      for (const at of [0, 100]) yield Buffer.from(text.slice(at, at === 0 ? 100 : undefined));
      await new Promise<never>(() => {});
    };
    const stdin = { ...host.stdin, chunks };
    const exitCode = await runCli({ ...host, stdin });
    expect({ home, exitCode, stderr: written.stderr }).toEqual({ home, exitCode: 0, stderr: "" });
  }
});

test("a folder that could not be written at first syncs as soon as it can be", async () => {
  const fresh = join(root, "fresh");
  mkdirSync(fresh);
  writeFileSync(join(root, "desk/.git/HEAD"), "ref: refs/heads/main\n");
  await runIn({ argv: ["enable", "--no-history"], ...place() });
  // Stands where mementor makes its directory.
  writeFileSync(join(fresh, "mementor"), "");
  expect(await runIn({ argv: ["sync", fresh, "--as", "shop"], ...place() })).toMatchObject({ exitCode: 1 });
  rmSync(join(fresh, "mementor"));
  expect(await runIn({ argv: ["sync", "now"], ...place() })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(keysIn(fresh)).toHaveLength(1);
});

test("the code of another folder is refused", async () => {
  writeFileSync(join(root, "words"), `${encodeKey(newKey())}\n`);
  const { exitCode, stderr } = await connect("--key-file", join(root, "words"));
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The code does not belong to this folder.");
});
