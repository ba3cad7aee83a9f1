import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";
import { type GitLocation, linkStats, locateGit, readQuietly } from "./gitdir.ts";

/**
 * Returns the hashes of the commits without parents from which `HEAD` comes: they are the same in every clone and fork.
 * Null when git is missing or too slow, in a shallow clone, where the oldest commits are not there, and where the
 * repository's files name or link to commits of another one: whoever packs an archive could name a repository that they
 * cannot read.
 *
 * Git must neither fetch anything nor run a program that the repository's configuration names.
 */
export async function rootCommits(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[] | null> {
  const found = locateGit(directory);
  const git = Bun.which("git", { PATH: env.PATH ?? "" });
  if (found === null || git === null || statIfExists(join(found.commonDir, "shallow"))) return null;
  if (!found.isOwn || !hasPlainHead(found)) return null;
  try {
    const child = Bun.spawn(
      [git, "--no-pager", "-c", "core.fsmonitor=false", "rev-list", "--max-parents=0", "HEAD", "--"],
      {
        cwd: directory,
        env: {
          PATH: env.PATH,
          HOME: env.HOME,
          GIT_NO_LAZY_FETCH: "1",
          GIT_NO_REPLACE_OBJECTS: "1",
          GIT_ALLOW_PROTOCOL: "",
          GIT_OPTIONAL_LOCKS: "0",
        },
        stdin: "ignore",
        stderr: "ignore",
        timeout: UNTRUSTED.gitMs,
      },
    );
    const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    const hashes = text.split("\n").filter((line) => /^[\da-f]{40,64}$/.test(line));
    return exitCode === 0 && hashes.length > 0 ? hashes.sort().slice(0, UNTRUSTED.rootCommits) : null;
  } catch {
    return null;
  }
}

/** Files by which a repository has the commits of another one, or other parents for its own. */
const OTHERS_COMMITS = ["objects/info/alternates", "info/grafts"];

/** Whether the commits lie in the repository, and no part of the path to that of `HEAD` is a link or names another branch. */
function hasPlainHead({ gitDir, commonDir }: GitLocation): boolean {
  if (OTHERS_COMMITS.some((name) => linkStats(join(commonDir, name)) !== null)) return false;
  const name = /^ref: (\S+)\s*$/.exec(readQuietly(join(gitDir, "HEAD")) ?? "")?.[1]?.split("/") ?? [];
  const parts = name.map((_, at) => join(commonDir, ...name.slice(0, at + 1)));
  const tables = entriesOf(join(commonDir, "reftable"));
  if (readQuietly(parts.at(-1) ?? "")?.startsWith("ref:")) return false;
  return [...parts, ...tables].every((path) => !linkStats(path)?.isSymbolicLink());
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).map((name) => join(directory, name));
  } catch {
    return [];
  }
}
