import { parse } from "jsonc-parser";
import type { Project } from "../io/git/project.ts";
import { readUntrusted } from "../io/read.ts";
import { HOOK_SCOPES } from "./hook-entries.ts";
import { policyFiles } from "./hooks-state.ts";
import { leaveFiles, leaveRules } from "./leave.ts";
import { type SettingsContext, settingsFiles } from "./settings-places.ts";

/** What keeps Claude Code from asking the memory without a question, and where that stands. */
export interface InTheWay {
  file: string;
  /** `denied` and `asks`: a rule; `tracked`: git tracks the settings; `policy`: only an organisation's rules count. */
  why: "denied" | "asks" | "tracked" | "policy";
  /** The rule that denies it or has it asked for. */
  rule: string | null;
}

/** Whether Claude Code may ask the memory without a question. */
export interface LeaveState {
  isGiven: boolean;
  inTheWay: InTheWay[];
}

/** The command as a rule that concerns it begins: `Bash`, `Bash(*)`, `Bash(mementor:*)`, `Bash(mementor recall:*)`. */
const CONCERNS = /^(?:Bash|PowerShell)(?:\((?:\*|mementor(?:\s+recall\b.*|:?\s*\*)?)\))?$/;

/** Reads what Claude Code's settings and an organisation's say about the command. Never throws. */
export async function leaveState(
  project: Project,
  context: SettingsContext,
  isTracked: (file: string) => Promise<boolean>,
): Promise<LeaveState> {
  const [wanted = ""] = leaveRules(context, false);
  const policies = policyFiles(context);
  const files = HOOK_SCOPES.flatMap((scope) => settingsFiles(scope, project, context));
  const given = files.filter((file) => rulesOf(file, "allow").includes(wanted));
  const own = leaveFiles("local", project, context);
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
