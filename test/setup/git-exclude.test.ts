import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { excludeSettings, includeSettings, isExcluded } from "../../src/setup/git-exclude.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-exclude-")));
  execFileSync("git", ["-C", root, "init", "-q"]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = () => join(root, ".git", "info", "exclude");
const SETTINGS = "/.claude/settings.local.json";
const ignored = () => {
  mkdirSync(join(root, ".claude"), { recursive: true });
  writeFileSync(join(root, SETTINGS), "{}");
  return execFileSync("git", ["-C", root, "status", "--porcelain"]).toString() === "";
};

test.each([["# comments\n*.log\n"], ["# comments\n*.log"], [""], [null]])(
  "git leaves the settings out, and the file gets back to %p",
  (before) => {
    mkdirSync(join(root, ".git", "info"), { recursive: true });
    if (before === null) rmSync(file(), { force: true });
    else writeFileSync(file(), before);
    expect([isExcluded({ root }), excludeSettings({ root })]).toEqual([false, file()]);
    expect([isExcluded({ root }), ignored(), excludeSettings({ root })]).toEqual([true, true, null]);
    expect([includeSettings({ root }), includeSettings({ root })]).toEqual([file(), null]);
    expect(existsSync(file()) ? readFileSync(file(), "utf8") : "").toBe(before ?? "");
  },
);

test("a line that was added below the entry stays a line of its own", () => {
  mkdirSync(join(root, ".git", "info"), { recursive: true });
  writeFileSync(file(), "*.tmp");
  excludeSettings({ root });
  writeFileSync(file(), `${readFileSync(file(), "utf8")}*.log\n`);
  includeSettings({ root });
  expect(readFileSync(file(), "utf8")).toBe("*.tmp\n*.log\n");
});

test("a line that somebody else wrote stays", () => {
  mkdirSync(join(root, ".git", "info"), { recursive: true });
  writeFileSync(file(), `${SETTINGS}\n`);
  expect([excludeSettings({ root }), includeSettings({ root })]).toEqual([null, null]);
  expect(readFileSync(file(), "utf8")).toBe(`${SETTINGS}\n`);
});

test("no link is followed, and nothing is written outside git", () => {
  const target = join(root, "elsewhere");
  writeFileSync(target, "mine\n");
  rmSync(join(root, ".git", "info"), { recursive: true, force: true });
  mkdirSync(join(root, ".git", "info"));
  symlinkSync(target, file());
  expect([excludeSettings({ root }), readFileSync(target, "utf8")]).toEqual([null, "mine\n"]);
  rmSync(join(root, ".git"), { recursive: true });
  expect(excludeSettings({ root })).toBeNull();
});

test.skipIf(process.platform === "win32").each(["info", ".git"])(
  "a file elsewhere that %s leads to is not written",
  (led) => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), "mementor-elsewhere-")));
    try {
      execFileSync("git", ["-C", other, "init", "-q"]);
      mkdirSync(join(other, ".git", "info"), { recursive: true });
      const elsewhere = join(other, ".git", "info", "exclude");
      writeFileSync(elsewhere, "*.log\n");
      if (led === "info") {
        rmSync(join(root, ".git", "info"), { recursive: true, force: true });
        symlinkSync(join(other, ".git", "info"), join(root, ".git", "info"));
      } else {
        rmSync(join(root, ".git"), { recursive: true });
        writeFileSync(join(root, ".git"), `gitdir: ${join(other, ".git")}\n`);
      }
      expect([isExcluded({ root }), excludeSettings({ root }), includeSettings({ root })]).toEqual([
        false,
        null,
        null,
      ]);
      expect(readFileSync(elsewhere, "utf8")).toBe("*.log\n");
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  },
);
