/** Recently touched files and URLs that are added to a prompt before it is embedded. */
export const ENRICHMENT = { files: 10, urls: 5 } as const;

/** What a session touched, newest first. */
export interface RecentResources {
  files: readonly string[];
  urls: readonly string[];
}

/**
 * Adds the names of recently touched files and the URLs to a prompt, for the embedding only:
 * `<query>\n\n[Context: recently touched files: a.ts, b.ts | URLs: https://...]`; unchanged when there are none.
 */
export function enrichQuery(query: string, recent: RecentResources): string {
  const names = recent.files.slice(0, ENRICHMENT.files).map(fileName);
  const parts = [
    listed("recently touched files", [...new Set(names)]),
    listed("URLs", [...new Set(recent.urls)].slice(0, ENRICHMENT.urls)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? query : `${query}\n\n[Context: ${parts.join(" | ")}]`;
}

function listed(label: string, values: readonly string[]): string | null {
  const present = values.filter((value) => value !== "");
  return present.length === 0 ? null : `${label}: ${present.join(", ")}`;
}

function fileName(path: string): string {
  return path.split(/[\\/]/).findLast((segment) => segment !== "") ?? "";
}
