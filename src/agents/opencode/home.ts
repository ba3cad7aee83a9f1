import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns opencode's directory of data: the same on every platform. */
export function dataDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_DATA_HOME) ?? join(homeDir, ".local", "share"), "opencode");
}

/** Returns the database that `OPENCODE_DB` names, in the directory of data where it is relative; null when none is named. */
export function namedDatabase(environment: Pick<Environment, "env" | "homeDir">): string | null {
  const given = environment.env.OPENCODE_DB;
  if (given === undefined || given === "" || given === ":memory:") return null;
  return absolutePath(given) ?? join(dataDirectory(environment), given);
}

/** Returns the directory of the user's settings of opencode. */
export function configDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config"), "opencode");
}
