import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { supportsLaterEvents } from "../../../src/setup/program/claude-version.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-claude-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Puts a program named claude into a folder, and asks what is installed. */
function asked(folder: string | null, script: string): Promise<boolean> {
  if (folder !== null) {
    mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, folder, "claude"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, folder, "claude"), 0o755);
  }
  return supportsLaterEvents({ env: { PATH: join(dir, "bin") }, homeDir: dir, platform: "linux" });
}

test.each<[string, string | null, string, boolean]>([
  ["a new one on the PATH", "bin", "echo '2.1.330 (Claude Code)'", true],
  ["a new one at its own place", ".local/bin", "echo '2.1.139 (Claude Code)'", true],
  ["an old one", "bin", "echo '2.1.100 (Claude Code)'", false],
  ["one that fails", "bin", "echo '2.1.330 (Claude Code)'; exit 1", false],
  ["one that says something else", "bin", "echo Hello", false],
  ["none", null, "", false],
])("%s", async (_what, folder, script, expected) => {
  expect(await asked(folder, script)).toBe(expected);
});

test("it gets no variable that makes it run something else", async () => {
  await asked("bin", '[ -z "$NODE_OPTIONS" ] && echo 2.1.330');
  const env = { PATH: join(dir, "bin"), NODE_OPTIONS: "--require ./x.js" };
  expect(await supportsLaterEvents({ env, homeDir: dir, platform: "linux" })).toBe(true);
});

test("an old one beside a new one", async () => {
  await asked(".local/bin", "echo '2.1.100 (Claude Code)'");
  expect(await asked("bin", "echo '2.1.330 (Claude Code)'")).toBe(false);
  await asked(".local/bin", "echo '2.1.200 (Claude Code)'");
  expect(await asked("bin", "echo '2.1.330 (Claude Code)'")).toBe(true);
});
