import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns the directory of Cline's sessions: `~/.cline/data/sessions`, each part of which a variable can move. */
export function sessionsDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  const directory = absolutePath(env.CLINE_DIR) ?? join(homeDir, ".cline");
  const data = absolutePath(env.CLINE_DATA_DIR) ?? join(directory, "data");
  return absolutePath(env.CLINE_SESSION_DATA_DIR) ?? join(data, "sessions");
}
