import { basename } from "node:path";
import type { Environment } from "../agents/agent.ts";
import { projectSessions, usedDirectories } from "../agents/list.ts";
import { claimedWorktrees, remoteUrl } from "../io/git/gitdir.ts";
import { findProject, type Project } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { describeDatabase } from "../store/sqlite/file/copy.ts";
import type { ProjectMemory } from "./memories.ts";
import { findRecord, type Registry } from "./registry.ts";
import { findKinship, type Kinship, type Repository, readRepository } from "./repository.ts";

/** A history at another path that may belong to a project. */
export interface OtherHistory {
  /** The root that it was made at. */
  root: string;
  /** True if that directory is gone, as after a move. */
  isGone: boolean;
  /**
   * Relation of its repository to the project's. `name`: only the directory names match. `worktree`: it is missing, and only the
   * project's own `.git` claims that it was a worktree.
   */
  kinship: NonNullable<Kinship> | "name" | "worktree";
  /** Its memory and the number of its turns (null when it cannot be read). */
  memory: (ProjectMemory & { turns: number | null }) | null;
  /** Sessions of all agents that are still on disk. */
  sessions: number;
}

export interface HistoryRequest {
  project: Project;
  repository: Repository;
  registry: Registry;
  memories: readonly ProjectMemory[];
  environment: Environment;
}

/**
 * Finds histories at other paths that may belong to a project: those of registered projects, and of directories where Claude Code
 * was used. Certain ones come first.
 */
export async function findHistories(request: HistoryRequest): Promise<OtherHistory[]> {
  const { project, registry, memories, environment } = request;
  const recorded = registry.projects.map(({ root }) => root);
  const used = (await usedDirectories(environment)).map((cwd) => rootOf(cwd));
  const found: OtherHistory[] = [];
  const claimed = claimedWorktrees(project.worktreeRoot).filter(
    (path) => !SYSTEM.isWithin(path, project.root),
  );
  for (const root of new Set([...recorded, ...used, ...claimed])) {
    if (root === project.root || project.recordedRoots?.includes(root)) continue;
    const relation = (await relationOf(root, request)) ?? (claimed.includes(root) ? "worktree" : null);
    if (relation === null) continue;
    const history = await readHistory(root, { memories, environment });
    if (history.memory !== null || history.sessions > 0) found.push({ ...history, kinship: relation });
  }
  const order = ["same", "fork", "worktree", "unsure", "name"];
  return found.sort((a, b) => order.indexOf(a.kinship) - order.indexOf(b.kinship));
}

/** Returns a project with its former roots and its worktrees' roots from the registry. */
export function withRecordedRoots(project: Project, registry: Registry): Project {
  const { former = [], worktrees = [] } = findRecord(registry, project.root) ?? {};
  const recordedRoots = [...former, ...worktrees];
  return recordedRoots.length === 0 ? project : { ...project, recordedRoots };
}

/** Looks at the history of one directory, which the user named; its kinship is not asked for. */
export async function readHistory(
  root: string,
  { memories, environment }: Pick<HistoryRequest, "memories" | "environment">,
): Promise<OtherHistory> {
  const memory = memories.find((each) => each.root === root) ?? null;
  const sessions = projectSessions(findProjectAt(root), environment);
  const turns = memory && turnsIn(memory.databaseFile);
  return {
    root,
    kinship: "unsure",
    isGone: !statIfExists(root),
    memory: memory && { ...memory, turns },
    sessions: sessions.length,
  };
}

/** Returns the project that contains a directory. A deleted directory is a project of its own, also inside a repository. */
export function findProjectAt(root: string): Project {
  if (statIfExists(root)) return findProject(root);
  return { root, worktreeRoot: root, kind: "missing", isGit: false, gitDir: null };
}

function rootOf(cwd: string): string {
  return findProjectAt(cwd).root;
}

async function relationOf(root: string, request: HistoryRequest): Promise<OtherHistory["kinship"] | null> {
  const { project, repository, registry, environment } = request;
  const hasSameName = basename(root) === basename(project.root);
  const stored = registry.projects.find((record) => record.root === root)?.repository;
  const isThere = statIfExists(root) !== null;
  if (stored === undefined && !isThere) return hasSameName ? "name" : null;
  // Git is asked only where a cheap look finds something in common.
  const hasSameRemote = repository.remote !== null && remoteUrl(root) === repository.remote;
  if (stored === undefined && !hasSameRemote && !hasSameName) return null;
  return findKinship(repository, stored ?? (await readRepository(root, environment.env)));
}

function turnsIn(file: string): number | null {
  try {
    return describeDatabase(file)?.turns ?? null;
  } catch {
    return null;
  }
}
