import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchReader } from "../../../src/io/git/project.ts";
import { SCRATCH } from "../../support/scratch.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";

/** Calls `work` with a repository whose HEAD has this log. */
function withLog(lines: readonly string[] | null, work: (directory: string) => void): void {
  const directory = mkdtempSync(join(SCRATCH, "mementor-log-"));
  try {
    for (const folder of ["objects", "refs", "logs"])
      mkdirSync(join(directory, ".git", folder), { recursive: true });
    writeFileSync(join(directory, ".git/HEAD"), "ref: refs/heads/now\n");
    if (lines !== null)
      writeFileSync(join(directory, ".git/logs/HEAD"), lines.map((line) => `${line}\n`).join(""));
    work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const line = (time: string, message: string) =>
  `${HASH} ${HASH} A. U. Thor <a@example.org> ${Date.parse(time) / 1000} +0100\t${message}`;

test("the branch is the one that HEAD had moved to last", () =>
  withLog(
    [
      line("2026-03-01T10:00:00Z", "commit (initial): Start"),
      line("2026-03-01T11:00:00Z", "checkout: moving from main to feature/a"),
      line("2026-03-01T11:30:00Z", "commit: checkout: moving from x to y"),
      line("2026-03-01T12:00:00Z", `checkout: moving from feature/a to ${HASH}`),
      line("2026-03-01T13:00:00Z", `checkout: moving from ${HASH} to main`),
    ],
    (directory) => {
      const at = branchReader(directory);
      expect(
        ["09:59:59", "10:00:00", "10:59:59", "11:00:00", "11:59:59", "12:30:00", "13:00:00", "20:00:00"].map(
          (time) => at(`2026-03-01T${time}.000Z`),
        ),
      ).toEqual([null, "main", "main", "feature/a", "feature/a", null, "main", "main"]);
      expect([at(null), at("no time")]).toEqual([null, null]);
    },
  ));

test("a HEAD that never moved is where it is now", () =>
  withLog([line("2026-03-01T10:00:00Z", "commit (initial): Start")], (directory) => {
    expect(branchReader(directory)("2026-03-02T00:00:00.000Z")).toBe("now");
  }));

test("nothing is known without a log, or outside git", () => {
  withLog(null, (directory) => expect(branchReader(directory)("2026-03-02T00:00:00.000Z")).toBeNull());
  expect(branchReader("/nowhere/at/all")("2026-03-02T00:00:00.000Z")).toBeNull();
});
