import { join } from "node:path";
import type { Environment } from "../agent.ts";
import { absolutePath } from "../files.ts";

/** Returns Gemini CLI's directory: `.gemini` in `GEMINI_CLI_HOME`, by default in the home directory. */
export function geminiDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.GEMINI_CLI_HOME) ?? homeDir, ".gemini");
}
