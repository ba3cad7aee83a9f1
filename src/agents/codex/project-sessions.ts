import { join } from "node:path";
import type { Project } from "../../git/project.ts";
import { entriesOf } from "../files.ts";
import { membership } from "../membership.ts";
import { headOfRollout } from "./head.ts";

/** Sessions are in folders by year, month and day. */
const MAX_DEPTH = 4;

/** Finds the rollouts below `roots` whose thread started in a directory of the project, by their names, so by time. */
export async function projectSessions(
  roots: readonly string[],
  project: Project,
  isWanted: (file: string) => boolean,
): Promise<string[]> {
  const belongs = membership(project);
  const found: string[] = [];
  for (const root of roots)
    for (const file of filesIn(root, MAX_DEPTH)) {
      if (!isWanted(file)) continue;
      const cwd = headOfRollout(file)?.cwd ?? null;
      if (cwd !== null && belongs(cwd)) found.push(file);
    }
  return found;
}

/** Whether the rollout of a thread is below a directory, compressed or not. */
export function isRolloutThere(root: string, threadId: string): boolean {
  for (const file of filesIn(root, MAX_DEPTH)) if (file.includes(threadId)) return true;
  return false;
}

function* filesIn(directory: string, depth: number): Iterable<string> {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 1) yield* filesIn(path, depth - 1);
  }
}
