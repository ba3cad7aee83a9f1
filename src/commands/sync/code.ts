import { MementorError } from "../../errors.ts";
import { codeOf } from "../../folder/key.ts";
import { renderCodeUse } from "../../render/folder/member.ts";
import { renderResult } from "../../render/result.ts";
import { requireFolder } from "./memories.ts";
import type { SyncAction } from "./options.ts";

/**
 * Prints the folder's key as words, and on a terminal before them what they are for: in lines that fit, read like one.
 *
 * @throws `not_found` when the memory syncs through no folder, `usage` when the output is no terminal and `--print` is
 *   missing.
 */
export const code: SyncAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const { directory, key } = await requireFolder(runtime);
  if (!options.print && !host.stdout.isTerminal)
    throw new MementorError(
      "usage",
      "The code lets anybody read your memory: it is printed at a terminal only.",
      {
        hint: "To print it anyway, add --print.",
      },
    );
  const words = codeOf(key);
  if (!options.json && host.stdout.isTerminal) host.stdout.write(renderCodeUse(directory));
  host.stdout.write(options.json ? renderResult({ directory, code: words }) : `${words}\n`);
  return 0;
};
