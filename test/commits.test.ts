import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "./store/builders.ts";

const ROOT = join(import.meta.dir, "..");
const MAX_SUBJECT = 72;
/** The last commit before the rule. */
const BASE = "6f16f18";

/** Null where there is no history: in an archive of the sources, or a shallow clone. */
function subjects(): string[] | null {
  const { exitCode, stdout } = Bun.spawnSync(["git", "log", "--no-merges", "--format=%s", `${BASE}..HEAD`], {
    cwd: ROOT,
    stderr: "ignore",
  });
  return exitCode === 0 ? stdout.toString().split("\n").filter(Boolean) : null;
}

test.skipIf(subjects() === null)("every subject of a commit is short enough to be read in a list", () => {
  expect(subjects()?.filter((subject) => [...subject].length > MAX_SUBJECT)).toEqual([]);
});

describe.skipIf(process.platform === "win32")("the commit-msg hook", () => {
  const run = (message: string) => {
    using directory = tempDir();
    const file = join(directory.path, "COMMIT_EDITMSG");
    writeFileSync(file, message);
    return Bun.spawnSync([join(ROOT, ".githooks/commit-msg"), file], { stderr: "ignore" }).exitCode;
  };

  test.each<[string, string, number]>([
    ["a short subject", "Add a thing\n", 0],
    ["a subject of 72 characters", `${"x".repeat(72)}\n\nA body.\n`, 0],
    ["a subject of 73 characters", `${"x".repeat(73)}\n`, 1],
    ["a subject of 72 characters that are no ASCII", `${"ü".repeat(72)}\n`, 0],
    ["comments before it", `# ${"x".repeat(80)}\nAdd a thing\n`, 0],
    ["a long body", `Add a thing\n\n${"x".repeat(200)}\n`, 0],
    ["a commit to be squashed", `fixup! ${"x".repeat(80)}\n`, 0],
  ])("%s", (_, message, exitCode) => {
    expect(run(message)).toBe(exitCode);
  });
});
