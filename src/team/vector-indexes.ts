import { connectTeam, type Surroundings } from "./open.ts";
import type { TeamSettings } from "./settings.ts";

/**
 * Builds the indexes that large projects of the server lack, if the role may: that of an administrator. Takes minutes for a
 * project of 100,000 chunks. Returns the projects that got one.
 */
export async function buildMissingIndexes(
  settings: TeamSettings,
  surroundings: Surroundings,
): Promise<string[]> {
  const { signal } = surroundings;
  await using server = await connectTeam(settings, surroundings);
  const { buildVectorIndexes, mayBuildIndexes } = await import("../store/postgres/vectors/build-indexes.ts");
  if (!(await mayBuildIndexes(server))) return [];
  const stop = () => void server.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return (await buildVectorIndexes(server)).map(({ name }) => name);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
