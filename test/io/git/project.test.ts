import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimedWorktrees, linkedWorktrees } from "../../../src/io/git/gitdir.ts";
import { currentBranch, findProject, projectRoots } from "../../../src/io/git/project.ts";
import { UNTRUSTED } from "../../../src/io/untrusted.ts";

let base = "";

function git(cwd: string, ...args: string[]): void {
  const env = {
    PATH: process.env.PATH,
    HOME: base,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const options = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"];
  const run = Bun.spawnSync(["git", ...options, ...args], { cwd, env });
  if (!run.success) throw new Error(run.stderr.toString());
}

function repository(path: string): void {
  mkdirSync(join(path, "src"), { recursive: true });
  git(path, "init", "-q");
  writeFileSync(join(path, "src/a.ts"), "1\n");
  git(path, "add", ".");
  git(path, "commit", "-qm", "one");
}

/** Repositories whose files claim to be part of another project, which does not confirm it. */
function redirections(at: (path: string) => string): void {
  repository(at("hostile"));
  git(at("hostile"), "clone", "-q", "--bare", at("library"), "tools/x.git");
  git(at("hostile/tools/x.git"), "config", "core.bare", "false");
  git(at("hostile/tools/x.git"), "config", "core.worktree", "../../../app");
  git(at("hostile"), "clone", "-q", "--bare", at("library"), "tools/.hidden");
  git(at("hostile/tools/.hidden"), "config", "core.bare", "false");
  git(at("hostile/tools/.hidden"), "config", "core.worktree", at("app"));
  mkdirSync(at("hostile/common/admin"), { recursive: true });
  writeFileSync(at("hostile/common/.git"), "gitdir: admin\n");
  writeFileSync(at("hostile/common/admin/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(at("hostile/common/admin/gitdir"), `${at("hostile/common/.git")}\n`);
  writeFileSync(at("hostile/common/admin/commondir"), `${at("app/.git")}\n`);
  mkdirSync(at("hostile/borrowed"));
  writeFileSync(at("hostile/borrowed/.git"), `gitdir: ${at("hidden/.bare")}\n`);
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "mementor git ")));
  const at = (path: string) => join(base, path);
  repository(at("app"));
  git(at("app"), "worktree", "add", "-q", "-b", "feature/x", at("app-linked"));
  git(at("app"), "worktree", "add", "-q", "-b", "inner", at("app/.worktrees/inner"));
  repository(at("app/vendor/nested"));
  repository(at("library"));
  git(at("app"), "submodule", "--quiet", "add", at("library"), "lib");
  git(at("app/lib"), "worktree", "add", "-q", "-b", "sub", at("lib-linked"));
  git(base, "clone", "-q", "--bare", at("library"), at("server.git"));
  git(at("server.git"), "worktree", "add", "-q", at("server-main"), "main");
  mkdirSync(at("hidden"));
  git(at("hidden"), "clone", "-q", "--bare", at("library"), at("hidden/.bare"));
  writeFileSync(at("hidden/.git"), "gitdir: ./.bare\n");
  git(at("hidden"), "worktree", "add", "-q", at("hidden/main"), "main");
  git(base, "clone", "-q", "--separate-git-dir", at("elsewhere.git"), at("library"), at("separated"));
  mkdirSync(at("plain/deep"), { recursive: true });
  mkdirSync(at("fake/.git"), { recursive: true });
  mkdirSync(at("broken"));
  writeFileSync(at("broken/.git"), "gitdir: /nowhere/.git/worktrees/x\n");
  mkdirSync(at("impostor"));
  writeFileSync(at("impostor/.git"), `gitdir: ${at("app/.git/worktrees/app-linked")}\n`);
  redirections(at);
  mkdirSync(at("linked-file/deep"), { recursive: true });
  symlinkSync(at("app-linked/.git"), at("linked-file/.git"));
  mkdirSync(at("linked-directory/deep"), { recursive: true });
  symlinkSync(at("app/.git"), at("linked-directory/.git"));
  for (const part of ["objects", "refs"]) mkdirSync(at(`linked-refs/.git/${part}`), { recursive: true });
  symlinkSync(at("app/.git/HEAD"), at("linked-refs/.git/HEAD"));
  symlinkSync(at("app"), at("link"));
  symlinkSync(at("app-linked"), at("link-to-linked"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const CASES: [name: string, cwd: string, root: string, worktreeRoot: string, kind: string][] = [
  ["primary", "app", "app", "app", "primary"],
  ["below the primary", "app/src", "app", "app", "primary"],
  ["inside .git", "app/.git/objects", "app", "app", "primary"],
  ["linked", "app-linked", "app", "app-linked", "linked"],
  ["below a linked one", "app-linked/src", "app", "app-linked", "linked"],
  ["linked inside the primary", "app/.worktrees/inner/src", "app", "app/.worktrees/inner", "linked"],
  ["nested repository", "app/vendor/nested/src", "app/vendor/nested", "app/vendor/nested", "primary"],
  ["submodule", "app/lib/src", "app/lib", "app/lib", "submodule"],
  ["linked worktree of a submodule", "lib-linked", "app/lib", "lib-linked", "linked"],
  ["bare", "server.git", "server.git", "server.git", "bare"],
  ["worktree of a bare one", "server-main/src", "server.git", "server-main", "linked"],
  ["around a hidden bare one", "hidden", "hidden", "hidden", "bare"],
  ["hidden bare one", "hidden/.bare", "hidden", "hidden", "bare"],
  ["worktree of a hidden bare one", "hidden/main/src", "hidden", "hidden/main", "linked"],
  ["separate git directory", "separated/src", "separated", "separated", "primary"],
  ["symlinked", "link/src", "app", "app", "primary"],
  ["symlinked linked worktree", "link-to-linked", "app", "app-linked", "linked"],
  ["not git", "plain/deep", "plain/deep", "plain/deep", "directory"],
  ["empty .git directory", "fake", "fake", "fake", "directory"],
  ["worktree whose repository is gone", "broken", "broken", "broken", "directory"],
  ["false worktree of another project", "impostor", "impostor", "impostor", "directory"],
  [
    "bare one with another's worktree",
    "hostile/tools/x.git",
    "hostile/tools/x.git",
    "hostile/tools/x.git",
    "bare",
  ],
  ["hidden one with another's worktree", "hostile/tools/.hidden", "hostile/tools", "hostile/tools", "bare"],
  ["below a link to a worktree's .git file", "linked-file/deep", "linked-file", "linked-file", "directory"],
  ["below a link to .git", "linked-directory/deep", "linked-directory", "linked-directory", "directory"],
  ["a link among git's files", "linked-refs", "linked-refs", "linked-refs", "directory"],
  ["another's commondir", "hostile/common", "hostile", "hostile", "primary"],
  ["another's bare repository", "hostile/borrowed", "hostile/borrowed", "hostile/borrowed", "bare"],
  ["vanished below a repository", "app-linked/gone/deep", "app", "app-linked", "linked"],
  ["vanished", "gone/deep", "gone/deep", "gone/deep", "missing"],
];

describe("findProject", () => {
  test.each(CASES)("%s", (_name, cwd, root, worktreeRoot, kind) => {
    const { gitDir: _, ...found } = findProject(join(base, cwd));
    const isGit = kind !== "directory" && kind !== "missing";
    expect(found as object).toEqual({
      root: join(base, root),
      worktreeRoot: join(base, worktreeRoot),
      kind,
      isGit,
    });
  });

  test.each(["", "C:\\Users\\me\\app", "relative/never", "/nul\0byte"])("takes %j as itself", (cwd) => {
    expect(findProject(cwd)).toMatchObject({ root: cwd, kind: "missing" });
  });
});

describe("worktrees", () => {
  test("count where both sides name each other, and prove nothing where they are gone", () => {
    const claim = (name: string, gitFile: string) => {
      mkdirSync(join(base, "library/.git/worktrees", name), { recursive: true });
      writeFileSync(join(base, "library/.git/worktrees", name, "gitdir"), `${gitFile}\n`);
    };
    claim("root", "/.git");
    claim("another", join(base, "app-linked/.git"));
    claim("gone", join(base, "gone-worktree/.git"));
    expect([linkedWorktrees(join(base, "library")), claimedWorktrees(join(base, "library"))]).toEqual([
      [],
      [join(base, "gone-worktree")],
    ]);
    expect(linkedWorktrees(join(base, "app-linked"))).toEqual([
      join(base, "app-linked"),
      join(base, "app/.worktrees/inner"),
    ]);
  });
});

test("a file of git's that is longer than a path is not read", () => {
  const entry = join(base, "library/.git/worktrees/long");
  mkdirSync(entry, { recursive: true });
  const before = claimedWorktrees(join(base, "library"));
  writeFileSync(join(entry, "gitdir"), `/${"a/".repeat(UNTRUSTED.gitLineBytes)}.git\n`);
  expect(claimedWorktrees(join(base, "library"))).toEqual(before);
});

describe("rootsOf", () => {
  test.each([
    ["app/src", ["app"]],
    ["link/src", ["link", "app"]],
    ["app/.worktrees/inner/src", ["app/.worktrees/inner", "app"]],
    ["link/.worktrees/inner", ["app/.worktrees/inner", "link/.worktrees/inner", "link", "app"]],
    ["gone/deep", ["gone/deep"]],
  ])("%s", (cwd, roots) => {
    const expected = roots.map((root) => join(base, root)).sort((a, b) => b.length - a.length);
    expect(projectRoots(join(base, cwd)).sort()).toEqual(expected.sort());
    const lengths = projectRoots(join(base, cwd)).map((root) => root.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
  });

  test("keeps a path of another system", () => {
    expect(projectRoots("C:\\Users\\me\\app")).toEqual(["C:\\Users\\me\\app"]);
  });
});

describe("currentBranch", () => {
  test.each([
    ["app", "main"],
    ["app-linked/src", "feature/x"],
    ["server-main", "main"],
    ["plain", null],
  ])("%s", (cwd, branch) => {
    expect(currentBranch(findProject(join(base, cwd)))).toBe(branch);
  });

  test("is null on a detached head", () => {
    git(join(base, "app/vendor/nested"), "checkout", "-q", "--detach");
    expect(currentBranch(findProject(join(base, "app/vendor/nested")))).toBeNull();
  });
});
