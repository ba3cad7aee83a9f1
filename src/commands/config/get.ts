import { configEntries } from "../../config/config.ts";
import { MementorError } from "../../errors.ts";
import { settingOf } from "../../project/config-file.ts";
import { renderSetting } from "../../render/config.ts";
import { renderJson } from "../../render/json.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Prints the value of one setting as it counts now, from wherever it comes.
 *
 * @throws `usage` unless one setting is named.
 */
export async function printSetting(
  runtime: Runtime,
  words: readonly string[],
  { json }: { json: boolean },
): Promise<number> {
  const [key] = words;
  if (key === undefined || words.length > 1)
    throw new MementorError("usage", "Name one setting.", {
      hint: "For example: mementor config get search.k",
    });
  const leaf = settingOf(key);
  const entry = configEntries(await runtime.config()).find((each) => each.key === leaf.key);
  const { value, origin } = entry ?? { value: leaf.fallback, origin: "default" };
  runtime.host.stdout.write(json ? renderJson({ key: leaf.key, value, origin }) : renderSetting(value));
  return 0;
}
