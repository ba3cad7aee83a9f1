import { stampOf } from "../agents/list.ts";
import { READER_VERSION } from "../transcript/state.ts";
import { ingestTranscript } from "./transcript.ts";
import type { TranscriptDeps } from "./transcript-deps.ts";

/**
 * Reads transcripts again that an older version of the reader read, so that their turns get what that version left out.
 * Turns keep their ids, forgotten turns stay forgotten, and unchanged text keeps its vectors. Turns of a deleted
 * transcript stay as they are. Can be stopped at any time; the next call continues with the same transcript. The caller
 * holds the ingest lock.
 */
export async function rereadOutdated(deps: TranscriptDeps): Promise<void> {
  for (const path of await deps.store.sourcesReadBefore(READER_VERSION)) {
    if (deps.signal?.aborted) return;
    if (stampOf(path) === null) await deps.store.setReaderVersion(path, READER_VERSION);
    else await ingestTranscript(path, deps);
  }
}
