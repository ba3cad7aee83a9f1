import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type GitLocation,
  linkedWorktrees,
  linkStats,
  locateGit,
  readQuietly,
  remoteUrl,
} from "../io/git/gitdir.ts";
import type { Project } from "../io/git/project.ts";
import { runGit } from "../io/git/run.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { UNTRUSTED } from "../io/untrusted.ts";
import type { UserDirs } from "./memory.ts";
import { findRecord, type ProjectRecord, readRegistry, updateRegistry, withRecord } from "./registry.ts";

/** Identity of a repository, independent of its location; see `rootCommits` and `remoteUrl`. */
export type Repository = NonNullable<ProjectRecord["repository"]>;

/**
 * How two repositories belong together. `same`: one history, and one remote where both have one. `fork`: one history,
 * but different remotes. `unsure`: one remote, but different histories, or none that is known: anybody can write a remote
 * into a configuration. Null: nothing in common that is known.
 */
export type Kinship = "same" | "fork" | "unsure" | null;

/** Reads what tells the repository of a directory. */
export async function readRepository(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Repository> {
  return { rootCommits: (await rootCommits(root, env)) ?? [], remote: remoteUrl(root) };
}

/** Compares two repositories. */
export function findKinship(a: Repository, b: Repository): Kinship {
  const isSameRemote = a.remote !== null && a.remote === b.remote;
  if (!a.rootCommits.some((hash) => b.rootCommits.includes(hash))) return isSameRemote ? "unsure" : null;
  return a.remote !== null && b.remote !== null && !isSameRemote ? "fork" : "same";
}

/**
 * Returns the hashes of the root commits of `HEAD`, which are the same in every clone and fork. Null without git, after a timeout
 * and in a shallow clone, which lacks them. Null also where the repository borrows the commits of another one: a crafted archive
 * could pose as a repository that its author cannot read.
 */
async function rootCommits(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[] | null> {
  const found = locateGit(directory);
  if (found === null || statIfExists(join(found.commonDir, "shallow"))) return null;
  if (!found.isOwn || !hasPlainHead(found)) return null;
  const text = await runGit(directory, ["rev-list", "--max-parents=0", "HEAD", "--"], env);
  const hashes = text?.split("\n").filter((line) => /^[\da-f]{40,64}$/.test(line)) ?? [];
  return hashes.length > 0 ? hashes.sort().slice(0, UNTRUSTED.rootCommits) : null;
}

/** Files through which a repository borrows another one's commits, or rewrites parents. */
const OTHERS_COMMITS = ["objects/info/alternates", "info/grafts"];

/** Tells whether the repository has its own commits, and `HEAD` resolves to a branch without links or indirection. */
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

/** Programs that make a worktree for each task make many. The oldest are dropped from the record. */
const MAX_RECORDED = 500;

/**
 * Records a registered project's linked worktrees, so that their sessions still count after they are deleted. Worktrees inside
 * the project need no record. A recorded path that holds something else now, such as an unpacked archive, no longer counts.
 * Writes only changes.
 */
export function noteWorktrees(
  { configDir }: Pick<UserDirs, "configDir">,
  { root, worktreeRoot }: Project,
): void {
  const seen = linkedWorktrees(worktreeRoot).filter((path) => !SYSTEM.isWithin(path, root));
  const isStill = (path: string) => seen.includes(path) || statIfExists(path) === null;
  const noted = (recorded: readonly string[]) =>
    [...new Set([...recorded.filter(isStill), ...seen])].slice(-MAX_RECORDED);
  const known = findRecord(readRegistry(configDir), root);
  if (known === null || isSame(noted(known.worktrees ?? []), known.worktrees ?? [])) return;
  updateRegistry(configDir, (registry) => {
    const record = findRecord(registry, root);
    return record === null
      ? registry
      : withRecord(registry, { ...record, worktrees: noted(record.worktrees ?? []) });
  });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((path, at) => path === others[at]);
}
