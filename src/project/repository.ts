import { remoteOf } from "../io/git/remote.ts";
import { rootCommits } from "../io/git/root-commits.ts";
import type { ProjectRecord } from "./registry.ts";

/** What tells a repository wherever it lies; see `rootCommits` and `remoteOf`. */
export type Repository = NonNullable<ProjectRecord["repository"]>;

/**
 * How two repositories belong together. `same`: one history, and one remote where both have one. `fork`: one history,
 * but different remotes. `unsure`: one remote, but different histories, or none that is known: anybody can write a remote
 * into a configuration. Null: nothing in common that is known.
 */
export type Kinship = "same" | "fork" | "unsure" | null;

/** Reads what tells the repository of a directory. */
export async function repositoryOf(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Repository> {
  return { rootCommits: (await rootCommits(root, env)) ?? [], remote: remoteOf(root) };
}

/** Compares two repositories. */
export function kinship(a: Repository, b: Repository): Kinship {
  const isSameRemote = a.remote !== null && a.remote === b.remote;
  if (!a.rootCommits.some((hash) => b.rootCommits.includes(hash))) return isSameRemote ? "unsure" : null;
  return a.remote !== null && b.remote !== null && !isSameRemote ? "fork" : "same";
}
