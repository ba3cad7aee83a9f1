import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns where the memory of a project lies, by the registry in this HOME; a place that is not there without one. */
export function memoryPlace(home: string, project: string): string {
  const id = recordOf(home, project)?.id ?? "none";
  return join(home, ".local", "share", "mementor", "projects", id);
}

function recordOf(home: string, project: string): { root: string; id: string } | undefined {
  try {
    const { projects } = JSON.parse(readFileSync(join(home, ".config", "mementor", "projects.json"), "utf8"));
    return projects.find(({ root }: { root: string }) => root === project);
  } catch {
    return undefined;
  }
}
