import { agentOf } from "../agents/list.ts";
import { MementorError } from "../errors.ts";
import type { RawTurn } from "../transcript/transcript.ts";
import { excludePaths } from "./exclude.ts";
import { readTurns, resolveTurn, uuidsOf } from "./resolve.ts";
import { splitAtDuplicates } from "./step-writer.ts";
import type { TranscriptDeps } from "./transcript-deps.ts";

type RereadDeps = Pick<TranscriptDeps, "store" | "rootsOf" | "redact" | "isPathExcluded" | "signal">;

/**
 * Reads the parts of turns from their transcripts where an older database only had the texts. Nothing else of a turn
 * changes, and a turn whose transcript or text is another by now keeps the parts it has. It can be stopped or killed
 * at any time and goes on with the transcript it was at; the caller holds the ingest lock.
 */
export async function rereadParts(deps: RereadDeps): Promise<void> {
  const { store, signal } = deps;
  for (const path of await store.transcriptsWithoutParts()) {
    const isRead = await rereadTranscript(path, deps).catch(isGone);
    if (signal?.aborted) return;
    if (isRead) await store.finishParts(path);
  }
}

/** Returns false when it was stopped. */
async function rereadTranscript(path: string, deps: RereadDeps): Promise<boolean> {
  const { rootsOf, redact, signal } = deps;
  for await (const { turns } of agentOf(path).read(path, { from: null, rootsOf, redact })) {
    if (signal?.aborted) return false;
    const inOrder = turns.toSorted((a, b) => a.lineIndex - b.lineIndex);
    for (const group of splitAtDuplicates(inOrder)) await saveGroup(group, inOrder, path, deps);
  }
  return true;
}

async function saveGroup(
  group: readonly RawTurn[],
  turns: readonly RawTurn[],
  path: string,
  { store, isPathExcluded }: RereadDeps,
): Promise<void> {
  const known = await store.knownEntries(group.flatMap(uuidsOf));
  const read = readTurns(turns);
  const composed = group.flatMap(
    (raw) => resolveTurn(excludePaths(raw, isPathExcluded), known, read).turn ?? [],
  );
  await store.saveParts(path, composed);
}

/** A transcript that is gone has nothing more to tell; any other failure may pass. */
function isGone(error: unknown): boolean {
  return error instanceof MementorError && error.code === "not_found";
}
