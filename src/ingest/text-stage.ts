import { MementorError, toMementorError } from "../errors.ts";
import { addCounts, type IngestReport } from "./report.ts";
import { ingestTranscript, type TranscriptReport, unreadable } from "./transcript.ts";
import type { TranscriptDeps } from "./transcript-deps.ts";

export interface TextStageDeps extends TranscriptDeps {
  onFile?: (path: string) => void;
  now: () => number;
}

/**
 * Stage one of an ingest: text, keywords and mentions of every transcript, so that they can be searched at once.
 * A transcript that cannot be read is reported and does not stop the others. The caller holds the ingest lock.
 */
export async function ingestTexts(
  paths: AsyncIterable<string> | Iterable<string>,
  deps: TextStageDeps,
  report: IngestReport,
): Promise<void> {
  const startedAt = deps.now();
  const sessions = new Set<string>();
  for await (const path of paths) {
    if (deps.signal?.aborted) break;
    deps.onFile?.(path);
    const file = await ingestTranscript(path, deps).catch(unexpected);
    add(report, sessions, file);
    if (file.failure) report.failures.push({ path, message: file.failure.message });
  }
  report.sessions += sessions.size;
  report.seconds.read += (deps.now() - startedAt) / 1000;
}

/** An error of the memory ends the ingest. Any other error is a bug that concerns only this transcript. */
function unexpected(error: unknown): TranscriptReport {
  if (error instanceof MementorError) throw error;
  return unreadable(toMementorError(error));
}

function add(report: IngestReport, sessions: Set<string>, file: TranscriptReport): void {
  if (file.outcome === "unchanged") {
    report.files.unchanged += 1;
    return;
  }
  report.files[file.failure ? "failed" : file.excluded ? "excluded" : "read"] += 1;
  if (file.outcome === "rewritten") report.files.rewritten += 1;
  for (const session of file.sessions) sessions.add(session);
  report.turns.inserted += file.written.turnsInserted;
  report.turns.updated += file.written.turnsUpdated;
  report.chunks.written += file.written.chunksWritten;
  report.chunks.reused += file.written.vectorsReused;
  if (file.unindexed > 0) report.unindexed = (report.unindexed ?? 0) + file.unindexed;
  report.lines.total += file.lines.total;
  report.lines.indexed += file.lines.indexed;
  addCounts(report.lines.skipped, file.lines.skipped);
}
