import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns Codex's directory: `${CODEX_HOME:-~/.codex}`. A relative setting is ignored. */
export function codexDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CODEX_HOME) ?? join(homeDir, ".codex");
}
