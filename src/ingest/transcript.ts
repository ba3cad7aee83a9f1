import { stat } from "node:fs/promises";
import type { Tokenizer } from "../embed/embedder.ts";
import type { IngestStore, SourceState } from "../store/store.ts";
import { readTranscript } from "../transcript/reader.ts";
import type { ReadCursor, RootsOf, TranscriptStep } from "../transcript/transcript.ts";
import type { ExcludeTest } from "./exclude.ts";
import { fingerprint } from "./fingerprint.ts";
import { StepWriter, type StepWriterReport } from "./step-writer.ts";

export interface TranscriptDeps {
  store: IngestStore;
  /** Opened at the first turn that has to be cut into chunks. */
  tokenizer: () => Promise<Tokenizer>;
  rootsOf: RootsOf;
  redact: (text: string) => string;
  isPathExcluded: ExcludeTest;
  isProjectExcluded: ExcludeTest;
  /** Called for every piece that could not be read; never with content. */
  onSkip?: (skip: { kind: string; path: string; lineIndex: number }) => void;
  /** Called after each step with the bytes read since the last call. */
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

export interface TranscriptReport extends StepWriterReport {
  outcome: "unchanged" | "read" | "rewritten";
}

const UNCHANGED: TranscriptReport = {
  outcome: "unchanged",
  sessions: new Set(),
  written: { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 },
  lines: { total: 0, indexed: 0, skipped: {} },
};

/**
 * Stores what is new in one transcript: an append costs the append, a rewritten or shrunk file is read again from
 * its start. Each step is one transaction that moves the cursor too, so it can be stopped or killed at any time.
 */
export async function ingestTranscript(path: string, deps: TranscriptDeps): Promise<TranscriptReport> {
  const { size, mtimeMs } = await stat(path);
  const before = await deps.store.source(path);
  if (before?.size === size && before.mtimeMs === mtimeMs) return UNCHANGED;
  // An append makes a file longer: one that was changed and is as long as before was changed within.
  const grew = before !== null && before.size !== size;
  const intact = grew && (await fingerprint(path, before.byteOffset)) === before.fingerprint;
  const outcome = before === null || intact ? "read" : "rewritten";
  const writer = new StepWriter(
    { path, before: intact ? before : null, rewritten: outcome === "rewritten" },
    deps,
  );
  let previous: TranscriptStep | null = null;
  for await (const step of readTranscript(path, readOptions(path, intact ? before : null, deps))) {
    if (previous) await writer.write(previous, { size: -1, mtimeMs: -1 });
    previous = step;
    if (deps.signal?.aborted) return { outcome, ...writer.report() };
  }
  // Only a file that was read to its end may later be recognised as unchanged.
  if (previous) await writer.write(previous, { size, mtimeMs });
  return { outcome, ...writer.report() };
}

function readOptions(path: string, from: SourceState | null, { rootsOf, redact, onSkip }: TranscriptDeps) {
  return {
    from: from && cursorOf(from),
    rootsOf,
    redact,
    ...(onSkip && { onSkip: (skip: { kind: string; lineIndex: number }) => onSkip({ ...skip, path }) }),
  };
}

function cursorOf(state: SourceState): ReadCursor {
  const { byteOffset, lineIndex, resumeOffset, resumeLine, readerState } = state;
  return { byteOffset, lineIndex, resumeOffset, resumeLine, readerState };
}
