import {
  filesOfSession,
  isBelowRoots,
  mayMove,
  projectSessions,
  readStamp,
  sessionsWithoutTranscript,
  startDirectory,
  subagentFolder,
} from "../../agents/list.ts";
import { projectMatcher } from "../../agents/membership.ts";
import { withRecordedRoots } from "../../project/histories.ts";
import {
  enqueue,
  isNewer,
  isSearchQueued,
  noteReading,
  type QueuedTranscript,
  queuedTranscript,
  takeQueued,
  takeSearch,
  waiting,
} from "../../project/queue.ts";
import { findRecord, readRegistry } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { ingestInto } from "../ingest.ts";

/** A project's open memory, and the signal to stop working on it. */
export interface WorkContext {
  directory: string;
  runtime: Runtime;
  store: SqliteStore;
  signal: AbortSignal;
}

/** Stores the texts of all queued transcripts, until the queue is empty. */
export async function ingestQueue(work: WorkContext): Promise<void> {
  // Before the search leaves the queue, so that an interruption leaves it for the next worker.
  if (isSearchQueued(work.directory)) await readLost(work);
  try {
    // Written before the queue is taken, so that `status` always knows what is being read.
    noteReading(work.directory, []);
    for (let batch = await nextBatch(work); batch.length > 0; batch = await nextBatch(work))
      await readBatch(batch, work);
  } finally {
    noteReading(work.directory, null);
  }
}

async function nextBatch(work: WorkContext): Promise<QueuedTranscript[]> {
  const { directory, runtime, signal } = work;
  if (signal.aborted) return [];
  const isOurs = isOfProject(runtime);
  const noted = takeQueued(directory, readStamp).filter(({ path }) => isOurs(path));
  return [...noted, ...(takeSearch(directory) ? await findTranscripts(work) : [])];
}

/** Returns the queued transcripts that may belong to a project. */
export function queuedOf({ directory, runtime }: Pick<WorkContext, "directory" | "runtime">): string[] {
  return waiting(directory).filter(isOfProject(runtime));
}

/**
 * Returns a test for whether a queued transcript may belong to a project. An entry from elsewhere, such as an old queue in a
 * project's tree, could name any file, and a hook's caller may name a session of another project. If a session may continue in
 * this project, each turn is checked later.
 */
function isOfProject({ project, paths, host }: Runtime): (path: string) => boolean {
  const belongs = projectMatcher(withRecordedRoots(project, readRegistry(paths.configDir)));
  return (path) => {
    if (!isBelowRoots(path, host)) return false;
    const cwd = startDirectory(path);
    return cwd === null || belongs(cwd) || mayMove(path);
  };
}

/** Returns this project's transcripts that changed since it was enabled and that no hook has queued. */
async function findTranscripts({ directory, runtime }: WorkContext): Promise<QueuedTranscript[]> {
  const { configDir } = runtime.paths;
  const registry = readRegistry(configDir);
  const record = findRecord(registry, runtime.project.root);
  const since = Date.parse(record?.since ?? "");
  const isWanted = (file: string) => {
    const stamp = readStamp(file);
    // A file that was copied here is new, however old its content is.
    return (stamp?.ctimeMs ?? 0) > since && isNewer(directory, file, stamp);
  };
  const found = projectSessions(withRecordedRoots(runtime.project, registry), runtime.host, isWanted);
  return found.map((path) => queuedTranscript(directory, path, readStamp(path)));
}

/** Stores the prompts of sessions since the project was enabled whose transcripts were deleted before they were read. */
async function readLost({ runtime, store, signal }: WorkContext): Promise<void> {
  const { project, paths, host } = runtime;
  const registry = readRegistry(paths.configDir);
  const since = findRecord(registry, project.root)?.since ?? "";
  const found = sessionsWithoutTranscript(withRecordedRoots(project, registry), host);
  const lost = found.filter(({ prompts: [first] }) => first !== undefined && first.time > since);
  if (lost.length > 0)
    await ingestInto(store, runtime, { paths: [], lost, textOnly: true, waits: true, signal });
}

/**
 * Stores texts and keywords. A batch that fails as a whole is queued again. A single transcript that fails waits for
 * its next event.
 */
async function readBatch(batch: readonly QueuedTranscript[], work: WorkContext): Promise<void> {
  const { directory, runtime, store, signal } = work;
  const log = await runtime.log();
  const paths = batch.map(({ path }) => path);
  noteReading(directory, paths);
  try {
    const report = await ingestInto(store, runtime, {
      paths: filesOf(batch),
      textOnly: true,
      waits: true,
      signal,
    });
    const failed = (session: string) => report.failures.some(({ path }) => isOfSession(path, session));
    for (const { path, finish } of batch) {
      if (signal.aborted) enqueue(directory, path);
      else if (!failed(path)) finish();
    }
    const { turns, chunks, failures } = report;
    log.info("ingest", { transcripts: batch.length, turns, chunks: chunks.written, failures });
  } catch (error) {
    for (const { path } of batch) enqueue(directory, path);
    throw error;
  }
}

async function* filesOf(batch: readonly QueuedTranscript[]): AsyncIterable<string> {
  for (const { path } of batch) yield* filesOfSession(path);
}

function isOfSession(file: string, sessionFile: string): boolean {
  const folder = subagentFolder(sessionFile);
  return file === sessionFile || (folder !== null && file.startsWith(folder));
}
