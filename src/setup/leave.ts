import type { Project } from "../io/git/project.ts";
import type { HookScope } from "./hook-entries.ts";
import type { SettingsContext } from "./settings-places.ts";
import { settingsFiles } from "./settings-places.ts";

/** What agents may run without a question: it reads this project's memory and nothing else. */
const COMMAND = "mementor recall";
/** The tools of the MCP server that only read the project's memory. */
const READING_TOOLS = ["search", "show", "sessions", "file_history", "recent"];
/** Signs that mean something in a rule: a path with one of them gets none. */
const SIGNS = /[()*:]/;

/** How Claude Code is given leave to ask the memory without a question. */
export interface Leave {
  rules: readonly string[];
  /** The settings that get the rules: none that anybody else uses. */
  files: readonly string[];
  /** Settings that would get them, and are left alone since git tracks them. */
  tracked: readonly string[];
}

/** Whether any settings get the rules. */
export function givesLeave({ rules, files }: Leave): boolean {
  return rules.length > 0 && files.length > 0;
}

/**
 * Returns the rules of Claude Code that let it ask the memory. The path is for sessions in which a shell does not find the
 * program by its name; a rule with a path holds that path alone.
 */
export function leaveRules(
  { platform, program }: Pick<SettingsContext, "platform" | "program">,
  withMcp: boolean,
): string[] {
  const isWindows = platform === "win32";
  const path = (isWindows ? program?.replaceAll("\\", "/") : program) ?? null;
  const isPlain = path !== null && !SIGNS.test(path.replace(/^[A-Za-z]:/, ""));
  const commands = [COMMAND, ...(isPlain ? [`${path} recall`] : [])];
  const shells = isWindows ? ["Bash", "PowerShell"] : ["Bash"];
  return [
    ...shells.flatMap((shell) => commands.map((command) => `${shell}(${command}:*)`)),
    ...(withMcp ? READING_TOOLS.map((tool) => `mcp__mementor__${tool}`) : []),
  ];
}

/** Lists the settings of a scope that hold the rules: those of the user for the project, also where the hooks are shared. */
export function leaveFiles(scope: HookScope, project: Project, context: SettingsContext): string[] {
  return settingsFiles(scope === "user" ? "user" : "local", project, context);
}
