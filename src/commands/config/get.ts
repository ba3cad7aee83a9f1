import { join } from "node:path";
import { configEntries, loadConfig } from "../../config/config.ts";
import { MementorError } from "../../errors.ts";
import { settingOf } from "../../project/config-file.ts";
import { TREE_CONFIG } from "../../project/tree.ts";
import { renderProblem, renderSetting } from "../../render/config.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";
import { printable } from "../../text/invisible.ts";

/**
 * Prints the value of one setting as it counts now, from wherever it comes; with `user`, as the user's own file has it.
 *
 * @throws `usage` unless one setting is named.
 */
export async function printSetting(
  runtime: Runtime,
  words: readonly string[],
  { user, json }: { user: boolean; json: boolean },
): Promise<number> {
  const [key] = words;
  if (key === undefined || words.length > 1)
    throw new MementorError("usage", "Name one setting.", {
      hint: "For example: mementor config get search.k",
    });
  const leaf = settingOf(key);
  const loaded = user
    ? loadConfig({ userFile: join(runtime.paths.configDir, TREE_CONFIG), env: {} })
    : await runtime.config();
  const entry = configEntries(loaded).find((each) => each.key === leaf.key);
  const { value, origin } = entry ?? { value: leaf.fallback, origin: "default" };
  if (!user) {
    const ignored = loaded.problems.filter((problem) => problem.key === leaf.key);
    for (const problem of ignored)
      runtime.host.stderr.write(`Ignored ${printable(problem.where)}: ${renderProblem(problem)}\n`);
  }
  runtime.host.stdout.write(json ? renderJson({ key: leaf.key, value, origin }) : renderSetting(value));
  return 0;
}
