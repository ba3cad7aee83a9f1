import type { TeamSettings } from "./settings.ts";

/** Returns the words with which a command line names a project of a team's database. */
export function serverWords({
  url,
  project,
  isInsecure,
}: Pick<TeamSettings, "url" | "isInsecure"> & { project: string | null }): string[] {
  return [
    ...["--db", url],
    ...(project === null ? [] : ["--project", project]),
    ...(isInsecure ? ["--insecure"] : []),
  ];
}
