import { oneLine } from "../agents/notices.ts";
import type { MementorError } from "../errors.ts";
import type { LocalStore } from "../store/store.ts";
import { plural } from "../text/numbers.ts";

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

/** Says how far a change of model is, and what answers until then. */
export function nextModel({ pending }: { pending: number }): string {
  const waiting = pending === 0 ? "nearly done" : `${plural(pending, "chunk")} to embed`;
  return `${waiting}; until then the old vectors and words answer. "mementor ingest --now" finishes it`;
}

/** Says in one line that another model takes over, and what answers until then. */
export function nextModelLine(next: { id: string; pending: number }): string {
  return `The memory changes to the model ${oneLine(next.id)}: ${nextModel(next)}.`;
}

/** Says in one line that only words were searched for, and why. */
export function byWordsAlone({ code, message }: Pick<MementorError, "code" | "message">): string {
  const isPacked = code === "assets_packed" || code === "not_writable";
  const why = isPacked ? "the model is not unpacked yet" : oneLine(message);
  return `Searched by words alone: ${why}.`;
}
