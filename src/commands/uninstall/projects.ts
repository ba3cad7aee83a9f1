import { usedDirectories } from "../../agents/list.ts";
import { statIfExists } from "../../io/read.ts";
import { findAt } from "../../project/histories.ts";
import { movedFrom } from "../../project/moved-settings.ts";
import { readRegistry } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";

/** The projects whose settings may hold hooks. */
export interface FoundProjects {
  /** Roots of projects that are registered, and of those that were moved and not adopted. */
  roots: string[];
  /** Registered roots that are gone, and that no project was found to come from. */
  lost: string[];
}

/**
 * Finds the projects that `uninstall` takes the hooks out of. A project that was moved and not adopted is not registered
 * at its new place: it is found in the current directory, and where sessions of agents were held.
 */
export async function findProjects({ host, paths, project }: Runtime): Promise<FoundProjects> {
  const registry = readRegistry(paths.configDir);
  const registered = registry.projects.map(({ root }) => root);
  const gone = registry.projects.filter(({ root, enabled }) => enabled && statIfExists(root) === null);
  if (gone.length === 0) return { roots: registered, lost: [] };
  const used = (await usedDirectories(host)).map((cwd) => findAt(cwd).root);
  const from = new Map([project.root, ...used].map((root) => [root, movedFrom(paths, registry, root)]));
  const moved = [...from].filter(([, formerRoot]) => formerRoot !== null).map(([root]) => root);
  const isFound = new Set(from.values());
  const lost = gone.map(({ root }) => root).filter((root) => !isFound.has(root));
  // Before the roots where they were, whose records they need.
  return { roots: [...moved, ...registered], lost };
}
