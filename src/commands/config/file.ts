import { join } from "node:path";
import { MementorError } from "../../errors.ts";
import { TREE_CONFIG } from "../../project/tree.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Returns the file to change: the user's, or that of this project's memory. Never the file in the repository: anyone
 * who can push may have written that one.
 *
 * @throws `usage` where `--db` names a database, `not_found` where the project has no memory.
 */
export async function fileToChange(runtime: Runtime, isForUser: boolean): Promise<string> {
  const { memory, paths } = runtime;
  if (isForUser) return join(paths.configDir, TREE_CONFIG);
  if (memory.directory === null)
    throw new MementorError("usage", "A database that is named with --db has no settings.", {
      hint: "To change the settings of all your projects, add --user.",
    });
  if ((await runtime.origin()) === "own") return join(memory.directory, TREE_CONFIG);
  throw new MementorError("not_found", "This project has no memory, and so no settings, yet.", {
    hint: 'Run "mementor enable" first, or add "--user" to change the settings of all your projects.',
  });
}
