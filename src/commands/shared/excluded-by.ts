import type { Runtime } from "../../runtime.ts";

/** Paths of which a pattern that matches all of them leaves nothing. */
const ANY = ["any/file", "file.txt"];

/** Returns the file or variable whose `exclude` leaves out the project, or all of its files; null where nothing does. */
export async function excludedBy(runtime: Runtime): Promise<string | null> {
  const { globTest } = await import("../../ingest/exclude.ts");
  const { config, origins } = await runtime.config();
  const { projects, paths } = config.exclude;
  if (globTest(projects)(runtime.project.root)) return origins["exclude.projects"] ?? null;
  return ANY.every(globTest(paths)) ? (origins["exclude.paths"] ?? null) : null;
}
