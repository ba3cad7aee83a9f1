import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Agent } from "../agents/agent.ts";
import { agentOf, readSource } from "../agents/list.ts";
import { READ } from "../constants.ts";
import type { ReadCursor } from "../domain.ts";
import { MementorError, toMementorError } from "../errors.ts";
import { ioError } from "../io/errors.ts";
import type { SourceState } from "../store/stored.ts";
import type { TranscriptDeps } from "./lost-sessions.ts";
import { fingerprint } from "./source.ts";
import { StepWriter, type StepWriterReport } from "./step-writer.ts";
import { READER_VERSION } from "./transcript/state.ts";
import type { TranscriptStep } from "./transcript/transcript.ts";

export interface TranscriptReport extends StepWriterReport {
  outcome: "unchanged" | "read" | "rewritten";
  /** The reason why reading stopped early. Everything before that point is stored. */
  failure: MementorError | null;
}

const UNCHANGED: TranscriptReport = {
  outcome: "unchanged",
  failure: null,
  sessions: new Set(),
  written: { turnsInserted: 0, turnsUpdated: 0, chunksWritten: 0, vectorsReused: 0 },
  unindexed: 0,
  lines: { total: 0, indexed: 0, skipped: {} },
  excluded: false,
};

/**
 * Stores the new part of one transcript. After an append, reads only the appended part. Reads the whole file again when it was
 * rewritten or shrunk, when an older version of the reader read it, or when its agent replaces it. Each step is one transaction
 * that also moves the cursor, so this can be stopped or killed at any time. Rejects when storing fails. Lists an unreadable
 * transcript in the report instead.
 */
export async function ingestTranscript(path: string, deps: TranscriptDeps): Promise<TranscriptReport> {
  const agent = agentOf(path);
  const before = await deps.store.source(path);
  const isOutdated = wasReadByOlder(before);
  const { size, mtimeMs, isIntact, failure } = await look(agent, path, before, isOutdated);
  if (failure) return unreadableReport(failure);
  if (before?.size === size && before.mtimeMs === mtimeMs && !isOutdated) return UNCHANGED;
  const outcome = before === null || isIntact ? "read" : "rewritten";
  const from = isIntact && !isOutdated ? before : null;
  const writer = new StepWriter({ path, before: from, rewritten: outcome === "rewritten" }, deps);
  const failures: MementorError[] = [];
  const steps = readSource(path, {
    ...readOptions(path, from, deps),
    stepBytes: isOutdated ? WHOLE_FILE : READ.stepBytes,
  });
  const last = await writeAllButLast(
    untilFailure(steps, (error) => failures.push(toMementorError(error))),
    writer,
    deps.signal,
  );
  if (last === "interrupted") return { outcome, failure: null, ...writer.report() };
  const unknown = unknownFile(path, from, failures, [writer.report().lines, last?.lines]);
  // Only a file that was read to its end may later be recognised as unchanged.
  const isRead = failures.length === 0 && unknown === null;
  if (last) await writer.write(last, isRead ? { size, mtimeMs } : UNFINISHED);
  if (unknown !== null) return unreadableReport(unknown);
  return { outcome, failure: failures[0] ?? null, ...writer.report() };
}

/** Writes each step when the next one is read, and returns the last one. */
async function writeAllButLast(
  steps: AsyncIterable<TranscriptStep>,
  writer: StepWriter,
  signal: AbortSignal | undefined,
): Promise<TranscriptStep | "interrupted" | null> {
  let previous: TranscriptStep | null = null;
  for await (const step of steps) {
    if (previous) await writer.write(previous, UNFINISHED);
    previous = step;
    if (signal?.aborted) return "interrupted";
  }
  return previous;
}

function wasReadByOlder(before: SourceState | null): boolean {
  return before !== null && before.readerVersion < READER_VERSION;
}

/** Reader verdicts on lines that are not records of its agent. */
const NO_RECORD = new Set(["malformed", "non_object", "no_type"]);

/**
 * Returns the error for a file in which the presumed agent recognises no line, counting earlier reads; null when it recognises
 * one, or when there are no lines.
 */
function unknownFile(
  path: string,
  before: SourceState | null,
  failures: readonly MementorError[],
  read: readonly (TranscriptStep["lines"] | undefined)[],
): MementorError | null {
  if (failures.length > 0) return null;
  const parts = [before && { total: before.lineIndex, skipped: before.skipped }, ...read];
  const total = parts.reduce((sum, part) => sum + (part?.total ?? 0), 0);
  const unknown = parts.reduce((sum, part) => sum + unknownIn(part?.skipped ?? {}), 0);
  if (total === 0 || unknown < total) return null;
  return new MementorError("import_invalid", `${path} holds no record of a coding agent`);
}

function unknownIn(skipped: Readonly<Record<string, number>>): number {
  return Object.entries(skipped).reduce(
    (sum, [reason, count]) => sum + (NO_RECORD.has(reason) ? count : 0),
    0,
  );
}

/** Returns the report of an unreadable transcript. */
export function unreadableReport(failure: MementorError): TranscriptReport {
  return { ...UNCHANGED, outcome: "read", failure };
}

/** Size of a step with the whole file: a stored turn that is incomplete at the end of a step would lose its line. */
const WHOLE_FILE = Number.POSITIVE_INFINITY;

const UNFINISHED = { size: -1, mtimeMs: -1 };

interface Look {
  size: number;
  mtimeMs: number;
  /** True when the part that was read before is unchanged. */
  isIntact: boolean;
  failure: MementorError | null;
}

async function look(
  agent: Agent,
  path: string,
  before: SourceState | null,
  isOutdated: boolean,
): Promise<Look> {
  if (agent.growth(path) === "replaced") return lookAtReplaced(agent, path);
  try {
    const { size, mtimeMs } = await stat(path);
    // An append makes a file longer. A changed file of the same length was changed inside.
    const mayBe = before !== null && (isOutdated || before.size !== size);
    const isIntact = mayBe && fingerprint(path, before.byteOffset) === before.fingerprint;
    return { size, mtimeMs, isIntact, failure: null };
  } catch (error) {
    return { ...UNFINISHED, isIntact: false, failure: ioError(error, `read ${path}`) };
  }
}

async function lookAtReplaced(agent: Agent, path: string): Promise<Look> {
  // Reading a database never waits: without a pause, no signal would be noticed before the last session.
  await setImmediate();
  const stamp = agent.stampOf(path);
  if (stamp !== null) return { size: stamp.size, mtimeMs: stamp.mtimeMs, isIntact: false, failure: null };
  const failure = new MementorError("not_found", `cannot read ${path}: it no longer exists`);
  return { ...UNFINISHED, isIntact: false, failure };
}

/** Yields until the source fails. Does not catch errors of the consumer. */
async function* untilFailure<T>(
  items: AsyncIterable<T>,
  onFailure: (error: unknown) => void,
): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    onFailure(error);
  }
}

function readOptions(
  path: string,
  from: SourceState | null,
  { rootsOf, redact, blocks, onSkip }: TranscriptDeps,
) {
  return {
    from: from && cursorOf(from),
    rootsOf,
    redact,
    blocks,
    onSkip: onSkip && ((skip: { kind: string; lineIndex: number }) => onSkip({ ...skip, path })),
  };
}

function cursorOf(state: SourceState): ReadCursor {
  const { byteOffset, lineIndex, resumeOffset, resumeLine, sessions, readerState } = state;
  return { byteOffset, lineIndex, resumeOffset, resumeLine, sessions, readerState };
}
