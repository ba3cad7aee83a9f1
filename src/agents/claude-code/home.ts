import { join } from "node:path";
import type { Environment } from "../agent.ts";

/** Returns Claude Code's directory: `${CLAUDE_CONFIG_DIR:-~/.claude}`. A relative setting is ignored. */
export function claudeDirectory({ env, homeDir }: Environment): string {
  const given = env.CLAUDE_CONFIG_DIR;
  const isAbsolute = given?.startsWith("/") || /^[A-Za-z]:[\\/]/.test(given ?? "");
  return isAbsolute && given !== undefined ? given : join(homeDir, ".claude");
}
