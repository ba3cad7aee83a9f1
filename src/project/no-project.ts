import { dirname, join } from "node:path";
import { MementorError } from "../errors.ts";
import type { Project } from "../io/git/project.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";

/** What stands at the top of a project that is in no repository. */
const MARKS = [
  ".git .hg .svn .jj .claude .mementor CLAUDE.md AGENTS.md README.md README package.json pyproject.toml setup.py",
  "requirements.txt Cargo.toml go.mod pom.xml build.gradle Gemfile composer.json CMakeLists.txt Makefile deno.json",
]
  .join(" ")
  .split(" ");

/** Throws `usage` where a memory would be of everything: in the home directory, above it, and at the root of a disk. */
export function refuseNoProject({ root }: Project, homeDir: string): void {
  const home = realPathIfExists(homeDir) ?? homeDir;
  const isTop = dirname(root) === root;
  if (!isTop && !SYSTEM.isWithin(home, root)) return;
  const what =
    root === home ? "your home directory" : isTop ? "the root of the disk" : "above your home directory";
  throw new MementorError("usage", `${root} is ${what}, not a project.`, {
    hint: "Name the directory of a project: mementor -C DIR enable. For all your projects: mementor enable --scope user",
  });
}

/** Whether a directory is in a repository, or has at its top what projects have there. */
export function looksLikeProject({ root, isGit }: Project): boolean {
  return isGit || MARKS.some((name) => statIfExists(join(root, name)) !== null);
}
