import { type ConfigProblem, exclusionProblem } from "../config/config.ts";
import type { Config } from "../config/settings.ts";
import { BGE_SMALL } from "../embed/embedder.ts";
import { installedModels } from "../embed/models/manifest.ts";
import { MementorError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { findSetting } from "../setup/config-file.ts";
import { printable } from "../text/invisible.ts";
import { explainMistake } from "../text/mistakes.ts";

const MODEL = "embedding.model";

/** Returns the ignored settings with the reasons, including a model that is not on this machine. */
export async function configProblems(runtime: Runtime): Promise<ConfigProblem[]> {
  const { config, origins, problems } = await runtime.config();
  const message = modelComplaint(config.embedding.model, runtime);
  if (message === null) return problems;
  return [...problems, { where: origins[MODEL] ?? "default", key: MODEL, message }];
}

/** Returns what is wrong with the model for new memories; null if it can be used. */
export function modelComplaint(id: unknown, { paths }: Runtime): string | null {
  const isKnown = id === BGE_SMALL.id || installedModels(paths.modelsDir).some((model) => model.id === id);
  return isKnown ? null : explainMistake({ message: `must be ${findSetting(MODEL).allowed}` }, id);
}

/**
 * Returns the user's exclusions. Rejects with `config_invalid` if the settings cannot be read, because nothing may be stored
 * then.
 */
export async function knownExclusions(runtime: Runtime): Promise<Config["exclude"]> {
  const loaded = await runtime.config();
  const problem = exclusionProblem(loaded);
  if (problem === null) return loaded.config.exclude;
  throw new MementorError(
    "config_invalid",
    `Your exclusions cannot be read, so nothing is stored: ${problemWords(problem)}`,
    { hint: "Correct the settings, then run the command again. Nothing is lost until then." },
  );
}

/** Renders what is wrong with a setting, after the name of its file or variable. */
export function problemWords({ where, key, message }: ConfigProblem): string {
  return [where, key, message]
    .filter((part) => part !== "")
    .map(printable)
    .join(": ");
}

/** Renders what is wrong with a file of settings, without the file's name. */
export function renderProblem({ key, message }: ConfigProblem): string {
  return printable([key, message].filter(Boolean).join(": "));
}
