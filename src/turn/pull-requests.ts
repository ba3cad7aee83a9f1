/** `PullRequest("title")`, as tools are summed up. */
const CREATED = /^PullRequest\("(.*)"\)$/;

/**
 * Returns the title of a pull request that a turn opened: the one at this place, from 0 on, of as many as the turn opened.
 * Null where the calls of the turn do not say as many titles.
 */
export function pullRequestTitle(
  toolSummary: readonly string[],
  { at, of }: { at: number; of: number },
): string | null {
  const titles = toolSummary.flatMap((line) => CREATED.exec(line)?.[1] ?? []);
  // A call that failed is often made again.
  const distinct = [...new Set(titles)];
  return distinct.length === of ? (distinct[at]?.replaceAll('\\"', '"') ?? null) : null;
}
