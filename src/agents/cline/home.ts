import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

type Home = Pick<Environment, "env" | "homeDir">;

/** Returns Cline's data directory, with its settings: `~/.cline/data`. A variable can replace each part of it. */
export function dataDirectory({ env, homeDir }: Home): string {
  const directory = absolutePath(env.CLINE_DIR) ?? join(homeDir, ".cline");
  return absolutePath(env.CLINE_DATA_DIR) ?? join(directory, "data");
}

/** Returns the directory of Cline's sessions. */
export function sessionsDirectory(environment: Home): string {
  return absolutePath(environment.env.CLINE_SESSION_DATA_DIR) ?? join(dataDirectory(environment), "sessions");
}
