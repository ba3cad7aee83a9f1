import { isInFolderOf } from "../../agents/list.ts";
import { membership, worktreesOf } from "../../agents/membership.ts";
import { findProject } from "../../git/project.ts";
import type { Stray } from "../../project/checks/engine.ts";
import { withRecordedRoots } from "../../project/histories.ts";
import { besideDatabase } from "../../project/memory.ts";
import { readRegistry } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { writeSession } from "../export.ts";

/**
 * Finds the sessions of another project that an earlier version took by the name of Claude Code's folder, which `my.app` and
 * `my-app` share. Where nothing is at a session's directory any more, that may be this project before it was renamed.
 */
export async function straysIn({ project, paths }: Runtime, store: SqliteStore): Promise<Stray[]> {
  const known = withRecordedRoots(project, readRegistry(paths.configDir));
  const roots = worktreesOf(known);
  const belongs = membership(known);
  const isTaken = (path: string) => roots.some((root) => isInFolderOf(root, path));
  return (await store.status.sessionPlaces("claude-code")).flatMap(({ sessionId, path, directories }) => {
    const [first] = directories;
    if (first === undefined || !isTaken(path) || directories.some(belongs)) return [];
    const other = findProject(first);
    return other.kind === "missing" ? [] : [{ sessionId, root: other.root }];
  });
}

/** How the file of a session begins that was set aside beside the database. */
const SET_ASIDE = "of-another-project-";

/**
 * Writes each stray session to a file beside the database, which its own project can import, and removes it from the memory.
 * The caller sees to it that nobody else writes.
 */
export async function setStraysAside(runtime: Runtime): Promise<void> {
  await using store = await runtime.openStore("readwrite");
  for (const { sessionId } of await straysIn(runtime, store)) {
    const file = besideDatabase(runtime.memory, `${SET_ASIDE}${sessionId}.jsonl`);
    const written = { origin: runtime.projectName, now: runtime.host.now() };
    await writeSession(file, { store, session: sessionId }, written);
    const plan = await store.forget.plan({ sessionId });
    // Only what was written to the file: what says the same in another session stays.
    const turnIds = await store.exports.turnIds(sessionId, { session: sessionId });
    await store.forget.forget({ ...plan, turnIds, needles: [], cutTurnIds: [] });
  }
}
