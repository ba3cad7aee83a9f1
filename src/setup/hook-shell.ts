import { win32 } from "node:path";
import type { Environment } from "../agents/agent.ts";
import { statIfExists } from "../io/read.ts";
import type { HookShell } from "./hook-command.ts";

/**
 * Returns the shell that Claude Code starts hooks with: Git Bash on Windows, or PowerShell where there is none. Looks
 * for it where Claude Code does.
 */
export function claudeShell(
  { env, platform }: Pick<Environment, "env" | "platform">,
  isFile: (path: string) => boolean = (path) => statIfExists(path)?.isFile() ?? false,
): HookShell {
  if (platform !== "win32" || env.CLAUDE_CODE_GIT_BASH_PATH) return "sh";
  const installed = ["C:\\Program Files\\Git\\bin\\bash.exe", "C:\\Program Files (x86)\\Git\\bin\\bash.exe"];
  const besideGit = (env.PATH ?? env.Path ?? "")
    .split(";")
    .filter((directory) => directory !== "" && isFile(win32.join(directory, "git.exe")))
    .map((directory) => win32.join(directory, "..", "bin", "bash.exe"));
  return [...installed, ...besideGit].some(isFile) ? "sh" : "powershell";
}
