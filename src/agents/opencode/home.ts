import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns opencode's data directory, which is the same on every platform. */
export function dataDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_DATA_HOME) ?? join(homeDir, ".local", "share"), "opencode");
}

/**
 * Returns the database in `OPENCODE_DB`; a relative path is below the data directory. Null when the variable is not
 * set.
 */
export function namedDatabase(environment: Pick<Environment, "env" | "homeDir">): string | null {
  const given = environment.env.OPENCODE_DB;
  if (given === undefined || given === "" || given === ":memory:") return null;
  return absolutePath(given) ?? join(dataDirectory(environment), given);
}

/** Returns the directory of the user's settings of opencode. */
export function configDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config"), "opencode");
}
