import { linkedWorktrees } from "../io/git/gitdir.ts";
import type { Project } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import type { UserDirs } from "./memory.ts";
import { readRegistry, recordOf, updateRegistry, withRecord } from "./registry.ts";

/** Programs that make a worktree for each task make many. The oldest are dropped from the record. */
const MAX_RECORDED = 500;

/**
 * Records the linked worktrees of a registered project while they are there, so that their sessions still count when they
 * are deleted. Those inside the project count without that. Where something else is by now, such as an archive that was
 * unpacked there, no session belongs to the project any more. Writes only what is new.
 */
export function noteWorktrees(
  { configDir }: Pick<UserDirs, "configDir">,
  { root, worktreeRoot }: Project,
): void {
  const seen = linkedWorktrees(worktreeRoot).filter((path) => !SYSTEM.isWithin(path, root));
  const isStill = (path: string) => seen.includes(path) || statIfExists(path) === null;
  const noted = (recorded: readonly string[]) =>
    [...new Set([...recorded.filter(isStill), ...seen])].slice(-MAX_RECORDED);
  const known = recordOf(readRegistry(configDir), root);
  if (known === null || isSame(noted(known.worktrees ?? []), known.worktrees ?? [])) return;
  updateRegistry(configDir, (registry) => {
    const record = recordOf(registry, root);
    return record === null
      ? registry
      : withRecord(registry, { ...record, worktrees: noted(record.worktrees ?? []) });
  });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((path, at) => path === others[at]);
}
