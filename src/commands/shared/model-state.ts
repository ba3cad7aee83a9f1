import type { ModelSeen } from "../../project/status.ts";
import { calibrationOf } from "../../search/background/calibration.ts";
import type { LocalStore } from "../../store/contract/store.ts";

/** Returns the model of a memory, and the one that takes over when its vectors are complete. */
export async function modelSeen({
  models,
  ingest,
}: Pick<LocalStore, "models" | "ingest">): Promise<ModelSeen> {
  const id = (await models.active())?.id ?? null;
  const next = (await models.next())?.id ?? null;
  return {
    id,
    isCalibrated: calibrationOf(id) !== null,
    next: next === null ? null : { id: next, pending: await ingest.pendingCount(next) },
  };
}
