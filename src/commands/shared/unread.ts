import { stampOf } from "../../agents/list.ts";
import type { IngestStore } from "../../store/store.ts";

/** Counts which of these transcripts are not read to their end. */
export async function countUnread(
  paths: readonly string[],
  store: Pick<IngestStore, "source">,
): Promise<number> {
  let unread = 0;
  for (const path of paths) {
    const source = await store.source(path);
    if (source === null || source.size !== stampOf(path)?.size) unread += 1;
  }
  return unread;
}
