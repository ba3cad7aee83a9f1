import type { ModelSeen } from "../../project/status.ts";
import { calibrationOf } from "../../search/background/calibration.ts";
import { nextModelOf } from "../../search/next-model.ts";
import type { LocalStore } from "../../store/store.ts";

/** Returns the model of a memory, and the one that takes over when its vectors are complete. */
export async function modelSeen(local: Pick<LocalStore, "models" | "ingest">): Promise<ModelSeen> {
  const id = (await local.models.active())?.id ?? null;
  return { id, isCalibrated: calibrationOf(id) !== null, next: await nextModelOf(local) };
}
