import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns the directory of Cursor's command line, with its hooks: `~/.cursor`. */
export function cursorDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CURSOR_CONFIG_DIR) ?? join(homeDir, ".cursor");
}

/** Returns the directory in which the editor keeps its databases. */
export function editorDirectory({ env, homeDir, platform }: Environment): string {
  return join(applicationData(env, homeDir, platform), "Cursor", "User");
}

function applicationData(env: Environment["env"], homeDir: string, platform: NodeJS.Platform): string {
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  if (platform === "win32") return absolutePath(env.APPDATA) ?? join(homeDir, "AppData", "Roaming");
  return absolutePath(env.XDG_CONFIG_HOME) ?? join(homeDir, ".config");
}
