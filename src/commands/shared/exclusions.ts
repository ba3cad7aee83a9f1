import type { Config } from "../../config/config.ts";
import { exclusionProblem } from "../../config/exclusions.ts";
import { MementorError } from "../../errors.ts";
import { problemWords } from "../../render/config.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Returns what is to be left out. Rejects with `config_invalid` where that is not known, since the settings cannot be
 * read: then nothing may be stored.
 */
export async function knownExclusions(runtime: Runtime): Promise<Config["exclude"]> {
  const loaded = await runtime.config();
  const problem = exclusionProblem(loaded);
  if (problem === null) return loaded.config.exclude;
  throw new MementorError(
    "config_invalid",
    `It is not known what to leave out, so nothing is stored: ${problemWords(problem)}`,
    { hint: "Correct the settings, then run the command again. Nothing is lost until then." },
  );
}
