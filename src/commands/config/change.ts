import { configEntries, type LoadedConfig } from "../../config/config.ts";
import type { Leaf } from "../../config/leaves.ts";
import { MementorError } from "../../errors.ts";
import { setIn, settingOf, typedValue, unsetIn } from "../../project/config-file.ts";
import { renderConfigChange } from "../../render/config.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";
import { modelComplaint } from "../shared/config-problems.ts";
import { fileToChange } from "./file.ts";

export interface ChangeOptions {
  user: boolean;
  json: boolean;
}

/**
 * Sets a setting, or removes it from the file when `words` is null.
 *
 * @throws `usage` when no setting is named or there is none of this name, for a value that it does not take, and where
 *   `--db` names a database; `not_found` where the project has no memory, `settings_invalid` for a file that cannot be
 *   edited.
 */
export async function changeSetting(
  runtime: Runtime,
  key: string | undefined,
  words: readonly string[] | null,
  options: ChangeOptions,
): Promise<number> {
  const action = words === null ? "unset" : "set";
  if (key === undefined)
    throw new MementorError("usage", `Name the setting to ${action}.`, {
      hint: `For example: mementor config ${action} search.k${words === null ? "" : " 5"}`,
    });
  const leaf = settingOf(key);
  const value = words === null ? undefined : typedValue(leaf, words);
  const complaint = leaf.key === "embedding.model" && words !== null ? modelComplaint(value, runtime) : null;
  if (complaint !== null)
    throw new MementorError("usage", `${leaf.key} ${complaint}.`, { hint: "Nothing was changed." });
  const file = await fileToChange(runtime, options.user);
  const changed = words === null ? unsetIn(file, leaf) : setIn(file, leaf, value);
  const effective = entryOf(await runtime.renewed().config(), leaf);
  const change = { action, key: leaf.key, file, changed, ...effective } as const;
  runtime.host.stdout.write(options.json ? renderJson(change) : renderConfigChange(change));
  return 0;
}

function entryOf(loaded: LoadedConfig, { key }: Leaf): { value: unknown; origin: string } {
  const entry = configEntries(loaded).find((each) => each.key === key);
  return { value: entry?.value, origin: entry?.origin ?? "default" };
}
