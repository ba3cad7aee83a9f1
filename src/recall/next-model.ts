import type { LocalStore } from "../store/store.ts";

/** The model that takes over a memory when its vectors are complete, and how many chunks it has no vector of yet. */
export interface NextModel {
  id: string;
  pending: number;
}

/** Returns the model that takes over; null where none does. */
export async function nextModelOf({
  models,
  ingest,
}: Pick<LocalStore, "models" | "ingest">): Promise<NextModel | null> {
  const next = await models.next();
  return next && { id: next.id, pending: await ingest.pendingCount(next.id) };
}
