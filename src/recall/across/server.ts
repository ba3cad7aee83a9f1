import { basename } from "node:path";
import { MementorError, toMementorError } from "../../errors.ts";
import { withTimeout } from "../../io/within.ts";
import type { Runtime } from "../../runtime.ts";
import type { ReadRequest, TeamReading } from "../../sync/team/open.ts";
import { readTeam, serverWords } from "../../sync/team/settings.ts";
import type { RatedHit, SearchResult } from "../search.ts";
import { namedDatabase } from "./open-to-read.ts";

/** Timeout for an answer of the team's server, in ms. */
const PATIENCE_MS = 8_000;

/** A team's database as this memory's member reads it. */
export interface TeamMemory extends TeamReading {
  /** The options that name it on a command line. */
  memoryOptions: string[];
}

/** The answer of the team's server, or its failure. */
export type TeamAnswer<T> = { answer: T } | { failure: MementorError };

/**
 * Queries the team's database on the command line, or that of the memory's team. Rejects with `usage` without either. When the
 * server cannot be reached, refuses or takes too long, resolves to the failure, so that the local memory can answer; rejects if
 * the command line names the database.
 */
export async function askTeam<T>(
  runtime: Runtime,
  ask: (team: TeamMemory) => Promise<T>,
): Promise<TeamAnswer<T>> {
  const request = await requestOf(runtime);
  let opened: TeamReading | undefined;
  const asking = runtime.openTeam({ ...request, timeoutMs: PATIENCE_MS }).then((team) => {
    opened = team;
    return ask({ ...team, memoryOptions: serverWords(request, request.project) });
  });
  try {
    const answer = await withTimeout(
      PATIENCE_MS,
      asking.then((value) => ({ answer: value })),
    );
    if (answer !== null) return answer;
    throw new MementorError("timeout", "the team's server takes too long to answer");
  } catch (error) {
    const failure = toMementorError(error);
    const hasCopy = runtime.databaseUrl === null;
    if (!hasCopy || failure.code === "usage" || failure.code === "internal") throw error;
    return { failure };
  } finally {
    asking.catch(() => null);
    await opened?.store.close();
  }
}

async function requestOf(runtime: Runtime): Promise<ReadRequest> {
  const named = await namedDatabase(runtime);
  if (named !== null) return named;
  const { memory, paths } = runtime;
  const settings = memory.directory === null ? null : readTeam(paths.configDir, basename(memory.directory));
  if (settings !== null) return { ...settings, confirmed: null };
  throw new MementorError("usage", "This project's memory does not belong to a team.", {
    hint: "Join one: mementor team join postgres://you@host/database. Without the team, the memory here answers.",
  });
}

/** Adds the author to each turn, including the user's own. */
export function withAuthors(result: SearchResult, self: string): SearchResult {
  const named = (hit: RatedHit): RatedHit => ({
    ...hit,
    turn: { ...hit.turn, author: hit.turn.author ?? self },
  });
  return { ...result, hits: result.hits.map(named) };
}
