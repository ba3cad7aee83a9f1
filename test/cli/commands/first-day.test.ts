import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderUninstall } from "../../../src/cli/commands/uninstall.ts";
import { runCli } from "../../../src/cli/run.ts";
import { hostIn, runIn } from "../../support/host.ts";

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

test("doctor says whether the plugin is installed", async () => {
  const root = mkdtempSync(join(tmpdir(), "mementor-plugin-"));
  const place = { cwd: root, homeDir: join(root, "home"), now: new Date("2026-03-04T12:00:00Z") };
  const said = async () => {
    const { stdout } = await runIn({ ...place, argv: ["doctor", "--json"] });
    const found: { name: string; message: string }[] = JSON.parse(stdout);
    return found.find(({ name }) => name === "plugin")?.message;
  };
  const before = await said();
  await runIn({ ...place, argv: ["plugin", "install"] });
  const after = await said();
  rmSync(root, { recursive: true });
  expect([before, after]).toEqual([
    "The plugin of Claude Code is not installed.",
    "The plugin of Claude Code is up to date.",
  ]);
});

test.each([
  [["search", "x", "-k", "0"], '-k must be a whole number from 1 to 1,000, not "0".'],
  [["search", "x", "--limit", "0"], '--limit must be a whole number from 1 to 1,000, not "0".'],
  [["config", "set", "exclude.projects"], 'mementor config set exclude.projects "/home/grace/clients/**"'],
])("%j is refused in the words of who typed it", async (argv, said) => {
  expect((await fresh(argv)).stderr).toContain(said);
});

test.each([
  [
    ["--db", "README.md", "recent"],
    'The file is not a database: /README.md.\n  Name the database of a memory after "--db". This file stays as it is.\n',
  ],
  [
    ["sync", "nowhere"],
    "The folder is not there: /nowhere.\n  Is its disk mounted, or its synchroniser set up?\n",
  ],
])("%j advises nothing that does not fit", async (argv, said) => {
  const root = mkdtempSync(join(tmpdir(), "mementor-first-day-"));
  writeFileSync(join(root, "README.md"), "# Kettle\n".repeat(100));
  const { stderr } = await runIn({
    ...{ argv, cwd: root, homeDir: join(root, "home") },
    now: new Date("2026-03-04T12:00:00Z"),
  });
  rmSync(root, { recursive: true });
  expect(stderr.replaceAll(root, "")).toBe(`mementor: ${said}`);
});

test.each([[["help", "--man"]], [["help", "search", "--man"]]])(
  "%j is readable on a terminal, and a page for man in a pipe",
  async (argv) => {
    const shown = (await fresh(argv, 60)).stdout;
    expect(shown).toStartWith("Name\n\nmementor");
    // Examples are there to be copied, and so are not broken.
    const lines = shown.split("\n").filter((line) => !line.startsWith("    mementor "));
    expect(lines.filter((line) => /^\.|\\[-e&]/.test(line) || line.length > 60)).toEqual([]);
    expect((await fresh(argv)).stdout).toStartWith(".TH ");
  },
);

test("uninstall names only projects that have hooks, and what stays", async () => {
  const homeDir = mkdtempSync(join(tmpdir(), "mementor-uninstall-"));
  const [one, other] = [join(homeDir, "one"), join(homeDir, "other")];
  const said = async (cwd: string, ...argv: string[]) => {
    mkdirSync(cwd, { recursive: true });
    const { stdout } = await runIn({ argv, cwd, homeDir, now: new Date("2026-03-04T12:00:00Z") });
    return stdout.replaceAll(homeDir, "~");
  };
  for (const cwd of [one, other]) await said(cwd, "enable", "--yes", "--no-history");
  await said(other, "disable");
  const preview = await said(one, "uninstall", "--dry-run");
  expect(preview.match(/hooks out of .*/g)).toEqual(["hooks out of ~/one"]);
  expect(preview).toContain("keep the settings of mementor: ~/.config/mementor\n");
  expect((await said(one, "uninstall")).match(/hooks out of .*/g)).toEqual(["hooks out of ~/one"]);
  expect((await said(one, "uninstall", "--dry-run")).match(/hooks out of .*/g)).toBeNull();
  rmSync(homeDir, { recursive: true });
});

test("uninstall --purge says that a folder's key goes", () => {
  const plan: Parameters<typeof renderUninstall>[0] = {
    ...{
      projects: [],
      lost: [],
      agents: { hooks: [], servers: [], leave: [] },
      allProjects: false,
      memories: [],
    },
    ...{ hasPlugin: false, leaving: [], settings: "/c", folders: ["/synced"], link: null, ignored: "/named" },
    installation: { method: "source", program: "/m", files: [], upgrade: null, uninstall: null },
  };
  expect(renderUninstall(plan, null, true)).toContain(
    '/synced keeps what was synced, encrypted. The key goes: to read it again, note the words of "mementor sync code" first.\n',
  );
  expect(renderUninstall(plan, null, false)).not.toContain("/synced");
  expect(renderUninstall(plan, [], true)).toContain("/named stays: variables name it");
});

test("uninstall names a link to the program that somebody made, and no other", async () => {
  const homeDir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-link-")));
  const program = join(homeDir, "mementor");
  const bin = join(homeDir, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["mementor", "other"]) writeFileSync(join(homeDir, name), "");
  const preview = async (target: string) => {
    rmSync(join(bin, "mementor"), { force: true });
    symlinkSync(target, join(bin, "mementor"));
    const now = new Date("2026-03-04T12:00:00Z");
    const { host, written } = hostIn({ argv: ["uninstall", "--dry-run"], cwd: homeDir, homeDir, now });
    await runCli({ ...host, self: [program] });
    return written.stdout.replaceAll(homeDir, "~");
  };
  const lines = "delete ~/mementor yourself\n          delete the link ~/.local/bin/mementor yourself\n";
  expect(await preview(program)).toContain(lines);
  expect(await preview("../../mementor")).toContain(lines);
  expect(await preview(join(homeDir, "other"))).not.toContain("the link");
  rmSync(homeDir, { recursive: true });
});
