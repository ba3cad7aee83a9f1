import {
  agentOf,
  filesOfSession,
  projectSessions,
  readStamp,
  sessionsWithoutTranscript,
} from "../../../agents/list.ts";
import type { LostSession } from "../../../ingest/lost-sessions.ts";
import type { IngestReport } from "../../../ingest/report.ts";
import { statIfExists } from "../../../io/read.ts";
import { findProjectAt, withRecordedRoots } from "../../../project/histories.ts";
import { enqueue, startWorker } from "../../../project/queue.ts";
import { readRegistry } from "../../../project/registry.ts";
import type { Runtime } from "../../../runtime.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { ingestInto } from "../../ingest.ts";
import { ProgressBar } from "../../terminal/progress.ts";
import { hitJson } from "../search/text.ts";
import { findDemoQuestion } from "./proof.ts";
import type { UnreadHistory } from "./text.ts";

/** The transcripts of a project that agents have left on disk. */
export interface FoundHistory {
  /** Sources for `filesOfSession`. Some agents keep subagents in files of their own, which are no sessions. */
  sessions: string[];
  /** Number of conversations by id of the agent. */
  counts: Record<string, number>;
  /** Every transcript. */
  paths: string[];
  /** Sessions of which only an agent's list of prompts is left. */
  lost: LostSession[];
  bytes: number;
  /** The roots of the other places whose history is taken over. */
  taken: string[];
}

export interface HistoryPlan {
  history: FoundHistory;
  /** What of it was not read yet; null when there is nothing. */
  unread: UnreadHistory | null;
  /** Whether the history is read: before `enable` ends, in the background, or not at all. */
  reads: "now" | "later" | "no";
}

/** Finds the transcripts of a project and of the places whose history it takes over: former roots, and existing clones. */
export async function findHistory(
  { project, host, paths }: Runtime,
  taken: readonly { root: string }[] = [],
): Promise<FoundHistory> {
  const known = withRecordedRoots(project, readRegistry(paths.configDir));
  const projects = [known, ...taken.map(({ root }) => findProjectAt(root))];
  const sessions = [...new Set(projects.flatMap((project) => projectSessions(project, host)))];
  const found = new Set<string>();
  for (const path of sessions) for await (const file of filesOfSession(path)) found.add(file);
  const sizes = [...found].map((path) => readStamp(path)?.size ?? 0);
  return {
    sessions,
    counts: await conversationsOf(sessions),
    paths: [...found],
    lost: projects.flatMap((project) => sessionsWithoutTranscript(project, host)),
    bytes: sizes.reduce((a, b) => a + b, 0),
    taken: taken.map(({ root }) => root),
  };
}

/** Counts conversations by agent. */
async function conversationsOf(sessions: readonly string[]): Promise<Record<string, number>> {
  const names: Record<string, Set<string>> = {};
  for (const path of sessions) {
    const agent = agentOf(path);
    if (agent.sourceOf(path).agentId !== null) continue;
    const name = agent.conversationOf ? agent.conversationOf(path) : path;
    if (name === null) continue;
    names[agent.id] ??= new Set();
    names[agent.id]?.add(name);
  }
  return Object.fromEntries(Object.entries(names).map(([id, found]) => [id, found.size]));
}

/** Returns the part of the history that was not read yet; null if there is none. */
export async function unreadHistory(history: FoundHistory, runtime: Runtime): Promise<UnreadHistory | null> {
  if (history.sessions.length === 0) return null;
  const unread = await unreadOf(history.paths, runtime);
  if (unread.size === 0) return null;
  const sessions: string[] = [];
  for (const session of history.sessions)
    for await (const path of filesOfSession(session))
      if (unread.has(path)) {
        sessions.push(session);
        break;
      }
  const bytes = [...unread].reduce((sum, path) => sum + (readStamp(path)?.size ?? 0), 0);
  const isRest = unread.size < history.paths.length;
  return { counts: await conversationsOf(sessions), bytes, isRest };
}

/** Returns the transcripts that the memory has not read to their end. */
async function unreadOf(paths: readonly string[], runtime: Runtime): Promise<Set<string>> {
  const isThere = statIfExists(runtime.memory.databaseFile) !== null && (await runtime.origin()) === "own";
  if (!isThere) return new Set(paths);
  await using store = await runtime.openStore("readonly");
  const unread = new Set<string>();
  for (const path of paths) {
    const [known, stamp] = [await store.ingest.source(path), readStamp(path)];
    if (known?.size !== stamp?.size || known?.mtimeMs !== stamp?.mtimeMs) unread.add(path);
  }
  return unread;
}

/** Creates the memory, and reads the history into it as planned. */
export async function readHistory({ history, unread, reads }: HistoryPlan, adopt: boolean, runtime: Runtime) {
  await using store = await runtime.openStore("create", { adopt });
  const sessions = Object.values(history.counts).reduce((sum, count) => sum + count, 0);
  const found = { sessions, agents: history.counts, bytes: history.bytes };
  const known = { found, unread: unread !== null };
  if (reads === "later") await readInBackground(history, store, runtime);
  if (reads !== "now")
    return { ...known, report: null, later: reads === "later", interrupted: false, recall: null };
  const { report, interrupted } = await importHistory(history, unread, store, runtime);
  const recall = interrupted ? null : await findDemoQuestion(store, runtime.host.now());
  return { ...known, report, later: false, interrupted, recall };
}

export function historyJson(historyRead: Awaited<ReturnType<typeof readHistory>> | null) {
  if (historyRead === null) return { history: null, recalls: [] };
  const { found, report, later, interrupted, recall } = historyRead;
  return {
    history: { ...found, read: report, background: later, interrupted },
    recalls: recall === null ? [] : [{ query: recall.query, says: recall.says, ...hitJson(recall.hit) }],
  };
}

/**
 * Reads the history: text and keywords now, with a progress bar, and vectors later in a background process. If
 * interrupted, keeps what was read and leaves the rest to `ingest`.
 */
async function importHistory(
  history: FoundHistory,
  unread: UnreadHistory | null,
  store: SqliteStore,
  runtime: Runtime,
): Promise<{ report: IngestReport; interrupted: boolean }> {
  const { host } = runtime;
  const signal = host.interrupted();
  const bar = new ProgressBar(host, { read: () => unread?.bytes ?? 0, embed: () => 0 });
  const report = await ingestInto(store, runtime, {
    paths: history.paths,
    lost: history.lost,
    alsoFrom: history.taken,
    textOnly: true,
    waits: true,
    signal,
    hooks: { onStage: (stage) => bar.begin(stage), onProgress: (progress) => bar.advance(progress) },
  });
  bar.end();
  if (!signal.aborted && report.chunks.pending > 0) readLater(history, runtime);
  return { report, interrupted: signal.aborted };
}

/** Reads lists of prompts, which are short, and leaves the rest of the history to a background process. */
async function readInBackground(history: FoundHistory, store: SqliteStore, runtime: Runtime): Promise<void> {
  if (history.lost.length > 0)
    await ingestInto(store, runtime, { paths: [], lost: history.lost, textOnly: true, waits: true });
  readLater(history, runtime);
}

/** Leaves reading and embedding the history to a background process. */
function readLater({ sessions }: FoundHistory, { host, memory, project }: Runtime): void {
  if (memory.directory === null) return;
  for (const path of sessions) enqueue(memory.directory, path);
  startWorker(host, project.root);
}
