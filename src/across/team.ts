import { basename } from "node:path";
import { MementorError, toMementorError } from "../errors.ts";
import { within } from "../io/within.ts";
import type { Runtime } from "../runtime.ts";
import type { TeamReading } from "../team/read.ts";
import type { TeamSettings } from "../team/settings.ts";

/** How long the team's server may take for an answer, ms. */
const PATIENCE_MS = 8_000;

/** A team's database as this memory's member reads it. */
export interface TeamMemory extends TeamReading {
  /** How a command line names it. */
  named: string[];
}

/** What the team's server answered, or why it did not. */
export type TeamAnswer<T> = { answer: T } | { failure: MementorError };

/**
 * Asks the database of the team that this memory belongs to. Rejects with `usage` when it belongs to none; resolves to the
 * failure when the server cannot be reached, refuses, or takes too long.
 */
export async function askTeam<T>(
  runtime: Runtime,
  ask: (team: TeamMemory) => Promise<T>,
): Promise<TeamAnswer<T>> {
  const settings = await settingsOf(runtime);
  let opened: TeamReading | undefined;
  const asking = open(runtime, settings).then((team) => {
    opened = team;
    return ask({ ...team, named: ["--db", settings.url, "--project", settings.project] });
  });
  try {
    const answer = await within(
      PATIENCE_MS,
      asking.then((value) => ({ answer: value })),
    );
    return answer ?? { failure: new MementorError("timeout", "the team's server takes too long to answer") };
  } catch (error) {
    const failure = toMementorError(error);
    if (failure.code === "usage" || failure.code === "internal") throw error;
    return { failure };
  } finally {
    asking.catch(() => null);
    await opened?.store.close();
  }
}

async function settingsOf({ memory, paths }: Runtime): Promise<TeamSettings> {
  const { readTeam } = await import("../team/settings.ts");
  const settings = memory.directory === null ? null : readTeam(paths.configDir, basename(memory.directory));
  if (settings !== null) return settings;
  throw new MementorError("usage", "This project's memory does not belong to a team.", {
    hint: "Join one: mementor team join postgres://you@host/database. Without --team, the memory here answers.",
  });
}

async function open({ host }: Runtime, settings: TeamSettings): Promise<TeamReading> {
  const { openForReading } = await import("../team/read.ts");
  const { env, homeDir: home } = host;
  const request = { ...settings, remote: null, timeoutMs: PATIENCE_MS };
  return openForReading(request, { env, home }, () => host.now().toISOString());
}
