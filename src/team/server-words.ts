import type { TeamSettings } from "./settings.ts";

/** Returns the words with which a command line names a project of a team's database. */
export function serverWords(
  server: Pick<TeamSettings, "url" | "isInsecure">,
  project: string | null,
): string[] {
  return [
    ...["--db", server.url],
    ...(project === null ? [] : ["--project", project]),
    ...(server.isInsecure ? ["--insecure"] : []),
  ];
}
