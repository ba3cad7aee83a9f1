import { stampOf } from "../agents/list.ts";
import { READER_VERSION } from "../transcript/state.ts";
import { ingestTranscript } from "./transcript.ts";
import type { TranscriptDeps } from "./transcript-deps.ts";

/**
 * Reads transcripts again that an older version of the reader read, so that their turns get what it left out. Turns
 * keep their ids, what was forgotten stays forgotten, and text that did not change keeps its vectors. A transcript that
 * is gone leaves its turns as they are. It can be stopped at any time and goes on with the transcript it was at; the
 * caller holds the ingest lock.
 */
export async function rereadOutdated(deps: TranscriptDeps): Promise<void> {
  for (const path of await deps.store.sourcesReadBefore(READER_VERSION)) {
    if (deps.signal?.aborted) return;
    if (stampOf(path) === null) await deps.store.setReaderVersion(path, READER_VERSION);
    else await ingestTranscript(path, deps);
  }
}
