import { toMementorError } from "../errors.ts";
import { currentBranch, type Project } from "../git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { DeviceState } from "../store/folder.ts";
import type { HookCallFacts } from "../store/journal.ts";
import type { StatusStore } from "../store/store.ts";
import type { Totals, VectorsReady } from "../store/stored.ts";
import type { AgentState } from "./agent-hooks/install.ts";
import type { AgentFile } from "./agent-hooks/targets.ts";
import { type HooksState, hooksState } from "./hooks-state.ts";
import { databaseBytes, type UserDirs } from "./memory.ts";
import { refusalOf } from "./refusal.ts";
import type { SettingsContext } from "./settings-places.ts";
import { type MemoryOrigin, memoryOrigin, type Trust, trustOf } from "./trust.ts";

/** The facts that a database stores about itself. */
export interface StatusDatabase {
  status: StatusStore;
  totals(): Promise<Totals>;
  vectors(): Promise<VectorsReady>;
  /** What a worker reads now; null when none does. */
  reading(): Promise<ReadingSeen | null>;
  model(): Promise<ModelSeen>;
  /** The memory's team; null without one. */
  team(): Promise<TeamState | null>;
  /** The folder through which the memory syncs; null without one. */
  folder(): Promise<FolderSeen | null>;
}

/** How many of the conversations are read that a worker has taken, or is about to. */
export interface ReadingSeen {
  read: number;
  total: number;
}

/** The embedding model of the memory. */
export interface ModelSeen {
  id: string | null;
  /** Whether its distances can be judged. If not, the prompt hook goes by words. */
  isCalibrated: boolean;
  /** The model that takes over, and how many chunks it has no vector of yet. */
  next: { id: string; pending: number } | null;
}

/** How the memory and its team stand. */
export interface TeamState {
  project: string;
  author: string;
  /** Changes that the server has not confirmed. */
  waiting: number;
  /** How the last sync went, as JSON; null before the first. */
  lastSync: string | null;
  /** Whether a process syncs now. */
  isSyncing: boolean;
}

/** How the memory and the folder stand through which it syncs. */
export interface FolderSeen {
  directory: string;
  waiting: number;
  devices: DeviceState[];
  /** How the last sync went, as JSON; null before the first. */
  lastSync: string | null;
}

export interface StatusRequest extends SettingsContext, UserDirs {
  project: Project;
  databaseFile: string;
  /** Opens the database for reading. Not called when there is none. */
  openDatabase: () => Promise<StatusDatabase>;
  agents: readonly AgentState[];
  servers: Status["servers"];
  /** Number of transcripts that wait for the background worker. */
  queued: number;
  /** Whether the background worker waits for a calm machine. */
  isPaused: boolean;
  /** Hook calls that wait for the worker, oldest first. All are newer than those in the database. */
  notedCalls: readonly HookCallFacts[];
}

export interface Status {
  project: { root: string; worktreeRoot: string; kind: Project["kind"]; branch: string | null };
  trust: Trust;
  origin: MemoryOrigin;
  /** Why the memory is not read, and what to do. Null when it was made here, or there is none. */
  refusal: { message: string; hint: string } | null;
  database: { file: string; bytes: number; content: DatabaseContent | null; problem: string | null } | null;
  queued: number;
  isPaused: boolean;
  hooks: HooksState[];
  /** The state of the settings of other agents. */
  agents: readonly AgentState[];
  /** The agents whose settings start our MCP server. */
  servers: readonly AgentFile[];
  /**
   * True when hooks are installed but none was ever called. In an interactive session, Claude Code calls hooks only
   * after the user has trusted the folder.
   */
  neverCalled: boolean;
  /** True when hooks are installed and the program that they start is not there. */
  isProgramMissing: boolean;
}

export interface DatabaseContent extends Totals {
  lastIngest: string | null;
  skippedLines: Record<string, number>;
  hookCalls: HookCallFacts[];
  lastTold: HookCallFacts | null;
  vectors: VectorsReady;
  reading: ReadingSeen | null;
  model: ModelSeen;
  team: TeamState | null;
  folder: FolderSeen | null;
}

const CALLS_SHOWN = 10;

/** Collects what `status` shows. If the database cannot be read, the result says so in `problem`. Never throws. */
export async function collectStatus(request: StatusRequest): Promise<Status> {
  const { project, databaseFile, queued, isPaused, agents, servers } = request;
  const { root, worktreeRoot, kind } = project;
  const hooks = hooksState(project, request);
  const database = await databaseStatus(request);
  const refusal = refusalOf(request, root);
  const isInstalled = hooks.some(({ events }) => events.length > 0);
  return {
    project: { root, worktreeRoot, kind, branch: currentBranch(project) },
    trust: trustOf(request, root),
    origin: memoryOrigin(request, root),
    refusal: refusal && { message: refusal.message, hint: refusal.hint ?? "" },
    database: database && { file: databaseFile, ...database },
    queued,
    isPaused,
    hooks,
    agents,
    servers,
    isProgramMissing: isInstalled && request.program != null && statIfExists(request.program) === null,
    neverCalled: isInstalled && (database?.content?.hookCalls ?? []).length === 0,
  };
}

async function databaseStatus({ databaseFile, openDatabase, notedCalls }: StatusRequest) {
  const bytes = databaseBytes(databaseFile);
  if (bytes === null) return null;
  try {
    const database = await openDatabase();
    const { status } = database;
    const latestCalls = [...notedCalls.toReversed(), ...(await status.lastHookCalls(CALLS_SHOWN))];
    const content: DatabaseContent = {
      ...(await database.totals()),
      vectors: await database.vectors(),
      lastIngest: await status.lastIngest(),
      skippedLines: await status.skippedLines(),
      hookCalls: latestCalls.slice(0, CALLS_SHOWN),
      lastTold: notedCalls.findLast(({ decision }) => decision === "told") ?? (await status.lastTold()),
      reading: await database.reading(),
      model: await database.model(),
      team: await database.team(),
      folder: await database.folder(),
    };
    return { bytes, content, problem: null };
  } catch (error) {
    return { bytes, content: null, problem: toMementorError(error).message };
  }
}
