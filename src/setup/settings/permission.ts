import { parse } from "jsonc-parser";
import type { Project } from "../../io/git/project.ts";
import { readUntrusted } from "../../io/read.ts";
import { HOOK_SCOPES, type HookScope } from "./hook-entries.ts";
import { policyFiles } from "./hooks-state.ts";
import { type SettingsContext, settingsFiles } from "./settings-places.ts";

/** The command that agents may run without permission prompts. It reads only this project's memory. */
const COMMAND = "mementor recall";
/** The tools of the MCP server that only read the project's memory. */
const READING_TOOLS = ["search", "show", "sessions", "file_history", "recent"];
/** Signs that mean something in a rule: a path with one of them gets none. */
const SIGNS = /[()*:]/;

/** The permission rules that let Claude Code query the memory without asking the user. */
export interface PermissionRules {
  rules: readonly string[];
  /** The settings that get the rules: none that anybody else uses. */
  files: readonly string[];
  /** Settings files that are skipped because git tracks them. */
  tracked: readonly string[];
}

/** Tells whether any settings get the rules. */
export function grantsPermission({ rules, files }: PermissionRules): boolean {
  return rules.length > 0 && files.length > 0;
}

/**
 * Returns the rules of Claude Code that let it ask the memory. The path is for sessions in which a shell does not find the
 * program by its name; a rule with a path holds that path alone.
 */
export function permissionRules(
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
export function permissionFiles(scope: HookScope, project: Project, context: SettingsContext): string[] {
  return settingsFiles(scope === "user" ? "user" : "local", project, context);
}

/** An obstacle to querying the memory without asking the user, and the file with it. */
export interface InTheWay {
  file: string;
  /** `denied` and `asks`: a rule; `tracked`: git tracks the settings; `policy`: only an organisation's rules count. */
  why: "denied" | "asks" | "tracked" | "policy";
  /** The rule that denies it or has it asked for. */
  rule: string | null;
}

/** True if Claude Code may ask the memory without a question. */
export interface PermissionState {
  isGiven: boolean;
  inTheWay: InTheWay[];
}

/** The command as a rule that concerns it begins: `Bash`, `Bash(*)`, `Bash(mementor:*)`, `Bash(mementor recall:*)`. */
const CONCERNS = /^(?:Bash|PowerShell)(?:\((?:\*|mementor(?:\s+recall\b.*|:?\s*\*)?)\))?$/;

/** Reads what Claude Code's settings and an organisation's say about the command. Never throws. */
export async function permissionState(
  project: Project,
  context: SettingsContext,
  isTracked: (file: string) => Promise<boolean>,
): Promise<PermissionState> {
  const [wanted = ""] = permissionRules(context, false);
  const policies = policyFiles(context);
  const files = HOOK_SCOPES.flatMap((scope) => settingsFiles(scope, project, context));
  const given = files.filter((file) => rulesOf(file, "allow").includes(wanted));
  const own = permissionFiles("local", project, context);
  const inTheWay: InTheWay[] = [];
  for (const file of [...policies, ...files]) {
    for (const [kind, why] of [
      ["deny", "denied"],
      ["ask", "asks"],
    ] as const)
      for (const rule of rulesOf(file, kind).filter((each) => CONCERNS.test(each)))
        inTheWay.push({ file, why, rule });
  }
  for (const file of policies)
    if (memberOf(settingsIn(file), "allowManagedPermissionRulesOnly") === true)
      inTheWay.push({ file, why: "policy", rule: null });
  for (const file of own) if (await isTracked(file)) inTheWay.push({ file, why: "tracked", rule: null });
  return { isGiven: given.length > 0, inTheWay };
}

function rulesOf(file: string, kind: "allow" | "ask" | "deny"): string[] {
  const list = memberOf(memberOf(settingsIn(file), "permissions"), kind);
  return Array.isArray(list) ? list.filter((rule) => typeof rule === "string") : [];
}

function settingsIn(file: string): unknown {
  try {
    return parse(readUntrusted(file)?.replace(/^\ufeff/, "") ?? "{}", [], { allowTrailingComma: true });
  } catch {
    return null;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
