import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns Claude Code's directory: `${CLAUDE_CONFIG_DIR:-~/.claude}`. A relative setting is ignored. */
export function claudeDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CLAUDE_CONFIG_DIR) ?? join(homeDir, ".claude");
}
