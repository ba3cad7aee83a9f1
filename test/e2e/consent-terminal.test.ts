import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";
import { ingestSample } from "./sample.ts";

const plain = { NO_COLOR: "1" };

let here: Sandbox;
let there: Sandbox;
let exported: string;

beforeAll(async () => {
  here = await Sandbox.create();
  there = await Sandbox.create();
  exported = join(here.root, "memory.jsonl");
  await ingestSample(here);
  await here.run(["export", "-o", exported, "--as", "ada's"]);
});
afterAll(async () => {
  for (const sandbox of [here, there]) await sandbox[Symbol.asyncDispose]();
});

async function turnsIn(sandbox: Sandbox): Promise<number> {
  const { stdout } = await sandbox.run(["status", "--json"]);
  return JSON.parse(stdout).database?.content?.turns ?? 0;
}

test.each([
  ["forget", ["forget", "1"], "Forget this? [y/N/q]", "Nothing was removed.\n"],
  ["prune", ["forget", "--before", "1d", "--prune"], "Prune this? [y/N/q]", "Nothing was removed.\n"],
  [
    "purge",
    ["disable", "--purge"],
    "Delete this memory for good? [y/N/q]",
    "Nothing was changed: the memory and the hooks are still there.\n",
  ],
] as const)(
  "%s shows what goes, and after n, q or Ctrl-C says that nothing went",
  async (_name, args, question, said) => {
    const before = await turnsIn(here);
    for (const [keys, code] of [
      ["\n", 0],
      ["q\n", 0],
      ["\x03", 130],
    ] as const) {
      const { screen, exitCode } = await onTerminal(here, args, { env: plain, typed: [[question, keys]] });
      expect([screen.endsWith(said), exitCode]).toEqual([true, code]);
      expect(screen).toMatch(/\d+ turns?\b/);
    }
    expect(await turnsIn(here)).toBe(before);
  },
);

test("an import shows what the file holds, asks, and names its undo, which works", async () => {
  const preview = await there.run(["import", exported, "--dry-run"]);
  expect(preview.stdout).toMatch(
    /^From {6}ada's \(\d+ KB\); its turns stay marked with that name\nHolds {5}62 turns of 12 sessions, 2026-02-\d\d to 2026-/,
  );
  expect(preview.stdout).toEndWith("Nothing was imported: this was a dry run.\n");
  const json = await there.run(["import", exported, "--dry-run", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ dry_run: true, origin: "ada's", turns: 62, sessions: 12 });
  const typed = (keys: string) => ({ env: plain, typed: [["Import this? [Y/n/q]", keys]] as const });
  const refused = await onTerminal(there, ["import", exported], typed("n\n"));
  expect(refused.screen).toEndWith("Nothing was imported.\n");
  expect(existsSync(join(there.home, ".local/share/mementor/projects"))).toBe(false);

  const { screen } = await onTerminal(there, ["import", exported, "--text-only"], typed("y\n"));
  expect(screen).toContain("Turns     62 new");
  expect(screen).toContain("Undo      mementor forget --imported 'ada'\\''s'\n");

  const unknown = await there.run(["forget", "--imported", "bob"]);
  expect(unknown.stderr).toBe('mementor: Nothing here was imported from "bob".\n  There is: ada\'s.\n');
  const undone = await there.run(["forget", "--imported", "ada's", "--yes"]);
  expect(undone.stdout).toContain("Forgotten: 62 turns.");
  expect(undone.stdout).toContain("Importing the same file again brings them back.\n");
  expect(await turnsIn(there)).toBe(0);
});

test("a purge says what was deleted, and what can be had again", async () => {
  const { stdout, exitCode } = await here.run(["disable", "--purge", "--yes"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Deletes {3}\S+ \(\d.* [KM]B\)\n {10}62 turns of 12 sessions\n/);
  expect(stdout).toContain('Memory    deleted for good; "mementor enable" makes a new one');
});
