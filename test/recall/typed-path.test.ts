import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { typedPath } from "../../src/recall/file-history.ts";
import { tempDir } from "../store/builders.ts";

test("a path is looked for relative to the project, as an absolute one and as it was typed", () => {
  using directory = tempDir();
  const root = directory.path;
  for (const part of ["objects", "refs"]) mkdirSync(join(root, ".git", part), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(root, "src/deep"), { recursive: true });
  const cwd = join(root, "src");
  const exact = (typed: string) => typedPath(typed, cwd).exact;
  expect(typedPath("deep/a.ts", cwd)).toEqual({
    exact: ["src/deep/a.ts", join(root, "src/deep/a.ts"), "deep/a.ts"],
    below: ["src/deep/a.ts/", join(root, "src/deep/a.ts/"), "deep/a.ts/"],
    suffix: "deep/a.ts",
  });
  expect(exact("deep\\a.ts")).toEqual(["src/deep/a.ts", join(root, "src/deep/a.ts"), "deep/a.ts"]);
  expect(typedPath("../a.ts", cwd)).toEqual({
    exact: ["a.ts", join(root, "a.ts")],
    below: ["a.ts/", join(root, "a.ts/")],
    suffix: null,
  });
  expect(exact("..")).toEqual([root]);
  expect(exact("../../x.ts")).toEqual([join(root, "../x.ts")]);
  expect(exact("..x")).toEqual(["src/..x", join(root, "src/..x"), "..x"]);
  expect(exact("/elsewhere/x.ts")).toEqual(["/elsewhere/x.ts"]);
});
