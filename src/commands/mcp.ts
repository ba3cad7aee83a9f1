import { serve } from "../mcp/serve.ts";
import { Runtime } from "../runtime.ts";
import type { RunCommand } from "./command.ts";

/** Serves the project that Claude Code was started in, wherever it starts its servers. */
export const run: RunCommand = async ({ options }, { host }) => {
  const { CLAUDE_PROJECT_DIR: startedIn } = host.env;
  const cwd = startedIn?.startsWith("/") || /^[A-Za-z]:[\\/]/.test(startedIn ?? "") ? startedIn : undefined;
  const database = typeof options.db === "string" ? { databaseFile: options.db } : {};
  await serve(new Runtime(host, { ...database, cwd: cwd ?? host.cwd }), cwd ?? host.cwd);
  return 0;
};
