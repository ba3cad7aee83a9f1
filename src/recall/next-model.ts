import { oneLine } from "../agents/notices.ts";
import type { MementorError } from "../errors.ts";
import type { LocalStore } from "../store/store.ts";
import { plural } from "../text/numbers.ts";

/** The model that will become active when its vectors are complete, with the number of missing vectors. */
export interface NextModel {
  id: string;
  pending: number;
}

/** Returns the next model; null when there is none. */
export async function nextModelOf({
  models,
  ingest,
}: Pick<LocalStore, "models" | "ingest">): Promise<NextModel | null> {
  const next = await models.next();
  return next && { id: next.id, pending: await ingest.pendingCount(next.id) };
}

/** Describes the progress of a change of model, and which model answers until then. */
export function nextModelNote({ pending }: { pending: number }): string {
  const waiting = pending === 0 ? "nearly done" : `${plural(pending, "chunk")} to embed`;
  return `${waiting}; until then searches use the old vectors and words. "mementor ingest --now" finishes it`;
}

/** Describes in one line which model is next, and which one answers until then. */
export function nextModelLine(next: { id: string; pending: number }): string {
  return `The memory changes to the model ${oneLine(next.id)}: ${nextModelNote(next)}.`;
}

/** Describes in one line why only keywords were searched. */
export function keywordsOnlyNote({ code, message }: Pick<MementorError, "code" | "message">): string {
  const isPacked = code === "assets_packed" || code === "not_writable";
  const why = isPacked ? "the model is not unpacked yet" : oneLine(message);
  return `Searched by words only: ${why}.`;
}
