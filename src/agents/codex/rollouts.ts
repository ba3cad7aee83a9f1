import { join } from "node:path";
import { entriesOf } from "../files.ts";

/** Sessions are in folders by year, month and day. */
const MAX_DEPTH = 4;

/** Lists the files below a directory of sessions by their names, so by time. */
export function rolloutsBelow(root: string): Iterable<string> {
  return filesIn(root, MAX_DEPTH);
}

/** Whether the rollout of a thread is below a directory, compressed or not. */
export function isRolloutThere(root: string, threadId: string): boolean {
  for (const file of rolloutsBelow(root)) if (file.includes(threadId)) return true;
  return false;
}

function* filesIn(directory: string, depth: number): Iterable<string> {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 1) yield* filesIn(path, depth - 1);
  }
}
