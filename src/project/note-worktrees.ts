import type { Project } from "../git/project.ts";
import { linkedWorktrees } from "../git/worktrees.ts";
import { SYSTEM } from "../io/system.ts";
import type { UserDirs } from "./memory.ts";
import { readRegistry, recordOf, updateRegistry, withRecord } from "./registry.ts";

/** Programs that make a worktree for each task make many. The oldest are dropped from the record. */
const MAX_RECORDED = 500;

/**
 * Records the linked worktrees of a registered project while they are there, so that their sessions still count when they
 * are deleted. Those inside the project count without that. Writes only what is new.
 */
export function noteWorktrees(
  { configDir }: Pick<UserDirs, "configDir">,
  { root, worktreeRoot }: Project,
): void {
  const isRecorded = (path: string) =>
    (recordOf(readRegistry(configDir), root)?.worktrees ?? []).includes(path);
  const seen = linkedWorktrees(worktreeRoot).filter((path) => !SYSTEM.isWithin(path, root));
  if (recordOf(readRegistry(configDir), root) === null || seen.every(isRecorded)) return;
  updateRegistry(configDir, (registry) => {
    const record = recordOf(registry, root);
    if (record === null) return registry;
    const worktrees = [...new Set([...(record.worktrees ?? []), ...seen])].slice(-MAX_RECORDED);
    return withRecord(registry, { ...record, worktrees });
  });
}
