import { join, resolve } from "node:path";
import { toMementorError } from "../../errors.ts";
import { findProjectAt } from "../../project/histories.ts";
import { type ProjectMemory, userMemories } from "../../project/memories.ts";
import { isTrusted, leadsOut } from "../../project/trust.ts";
import type { Runtime } from "../../runtime.ts";
import { openMemory } from "./memories.ts";

/** A project that the configuration relates to this one, with its memory or the reason why it is not used. */
export interface RelatedProject {
  /** The configured path. */
  typed: string;
  memory: ProjectMemory | null;
  /** Null when the memory is used. */
  problem: string | null;
  /** True when the directory does not exist. */
  isMissing: boolean;
}

/**
 * Returns the projects that the user's configuration relates to this one. Relative paths start at this project's root. A memory
 * is used only if hooks in that project would use it: it is registered, enabled and made here.
 */
export async function relatedProjects(runtime: Runtime): Promise<RelatedProject[]> {
  const { recall, exclude } = (await runtime.config()).config;
  if (recall.related.length === 0) return [];
  const { memories, refused } = userMemories(runtime.paths, runtime.host.uid);
  const isExcluded = await exclusion(exclude.projects);
  const taken = new Set([runtime.project.root]);
  return recall.related.flatMap((typed): RelatedProject[] => {
    const path = pathOf(typed, runtime);
    const { root, kind } = findProjectAt(path);
    if (taken.has(root)) return [];
    taken.add(root);
    const memory = memories.find((each) => each.root === root) ?? null;
    const isMissing = kind === "missing" && memory === null;
    const isRefused = refused.some(({ project }) => project.root === root);
    const problem =
      (leadsOut(path, runtime.project.root) && "a link in this project leads there") ||
      (isMissing && "there is no such directory") ||
      (isRefused && "its memory was not made here") ||
      (memory === null && "it has no memory") ||
      (isExcluded(root) && "it is excluded") ||
      (!isTrusted(runtime.paths, root) && "it is not enabled") ||
      null;
    return [{ typed, memory: problem === null ? memory : null, problem, isMissing }];
  });
}

function pathOf(typed: string, { host, project }: Runtime): string {
  return typed === "~" || typed.startsWith("~/")
    ? join(host.homeDir, typed.slice(1))
    : resolve(project.root, typed);
}

async function exclusion(globs: readonly string[]): Promise<(root: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { globTest } = await import("../../ingest/exclude.ts");
  return globTest(globs);
}

/** A related project with the problem of reading its memory, or null. */
export interface RelatedState {
  path: string;
  problem: string | null;
  /** True when the directory does not exist. */
  isMissing: boolean;
}

/** Opens the memory of each related project like a hook, and reports the unreadable ones. */
export async function relatedStates(runtime: Runtime): Promise<RelatedState[]> {
  const states: RelatedState[] = [];
  for (const { typed, memory, problem, isMissing } of await relatedProjects(runtime))
    states.push({
      isMissing,
      path: memory?.root ?? typed,
      problem: memory ? await readingProblem(runtime, memory) : problem,
    });
  return states;
}

async function readingProblem(runtime: Runtime, memory: ProjectMemory): Promise<string | null> {
  try {
    const store = await openMemory(runtime, memory);
    await store.search.totals().finally(() => store.close());
    return null;
  } catch (error) {
    return toMementorError(error).message;
  }
}
