import type { ConfigProblem } from "../../config/config.ts";
import { allowedValues } from "../../config/meanings.ts";
import { BGE_SMALL } from "../../embed/bge.ts";
import { installedModels } from "../../embed/models/manifest.ts";
import { settingOf } from "../../project/config-file.ts";
import type { Runtime } from "../../runtime.ts";
import { complaintOf } from "../../text/complaint.ts";

const MODEL = "embedding.model";

/** Returns the settings that are not used, and why: also a model that is not on this machine. */
export async function configProblems(runtime: Runtime): Promise<ConfigProblem[]> {
  const { config, origins, problems } = await runtime.config();
  const message = modelComplaint(config.embedding.model, runtime);
  if (message === null) return problems;
  return [...problems, { where: origins[MODEL] ?? "default", key: MODEL, message }];
}

/** Says what is wrong with the model of new memories; null where they can start with it. */
export function modelComplaint(id: unknown, { paths }: Runtime): string | null {
  const isKnown = id === BGE_SMALL.id || installedModels(paths.modelsDir).some((model) => model.id === id);
  return isKnown ? null : complaintOf({ message: `must be ${allowedValues(settingOf(MODEL))}` }, id);
}
