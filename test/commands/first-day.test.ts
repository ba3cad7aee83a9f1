import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pluginChecks } from "../../src/project/checks/plugin.ts";
import { runIn } from "../support/host.ts";

/** Runs a command line where nothing of mementor is yet. */
async function fresh(argv: readonly string[], columns?: number) {
  const homeDir = mkdtempSync(join(tmpdir(), "mementor-first-day-"));
  const cwd = join(homeDir, "app");
  mkdirSync(cwd);
  const now = new Date("2026-03-04T12:00:00Z");
  const answer = await runIn({
    argv,
    cwd,
    homeDir,
    now,
    env: { NO_COLOR: "1", NO_PAGER: "1" },
    ...(columns !== undefined && { columns }),
  });
  rmSync(homeDir, { recursive: true });
  return answer;
}

test("plugin alone says whether it is installed", async () => {
  expect(await fresh(["plugin"])).toEqual({
    exitCode: 0,
    stdout: "The plugin for Claude Code is not installed. To install it: mementor plugin install\n",
    stderr: "",
  });
});

test.each([
  ["plugin", "uninstall"],
  ["config", "unset <setting>"],
])("the help of %s has its actions", async (name, action) => {
  const { stdout } = await fresh([name, "--help"]);
  expect(stdout).toContain("\nActions\n");
  expect(stdout).toContain(`\n  ${action}`);
});

test.each<[boolean, boolean, string]>([
  [false, false, "The plugin of Claude Code is not installed."],
  [true, false, "The plugin of Claude Code is up to date."],
])("doctor says whether the plugin is installed: %p", (isInstalled, isOutdated, message) => {
  const checks = pluginChecks({
    isInstalled: () => isInstalled,
    isOutdated: () => isOutdated,
    renew: () => {},
  });
  expect(checks.map(({ run }) => run())).toMatchObject([{ message }]);
});

test.each([
  [["search", "x", "-k", "0"], '-k must be a whole number from 1 to 1,000, not "0".'],
  [["search", "x", "--limit", "0"], '--limit must be a whole number from 1 to 1,000, not "0".'],
  [["config", "set", "exclude.projects"], 'mementor config set exclude.projects "/home/grace/clients/**"'],
])("%j is refused in the words of who typed it", async (argv, said) => {
  expect((await fresh(argv)).stderr).toContain(said);
});

test.each([[["help", "--man"]], [["help", "search", "--man"]]])(
  "%j is readable on a terminal, and a page for man in a pipe",
  async (argv) => {
    const shown = (await fresh(argv, 60)).stdout;
    expect(shown).toStartWith("NAME\n    mementor");
    expect(shown).toMatch(/\nSEE ALSO\n {4}"mementor /);
    expect(shown.split("\n").filter((line) => /^\.|\\[-e&]/.test(line) || line.length > 60)).toEqual([]);
    expect((await fresh(argv)).stdout).toStartWith(".TH ");
  },
);
