import { readdirSync } from "node:fs";
import { posix, win32 } from "node:path";
import { parse } from "jsonc-parser";
import { toMementorError } from "../../errors.ts";
import type { Project } from "../../io/git/project.ts";
import { readUntrusted } from "../../io/read.ts";
import { callText, HOOK_SCOPES, type HookEntry, type HookScope } from "./hook-entries.ts";
import { installedHooks } from "./settings-file.ts";
import { type SettingsContext, scopeEntries, settingsFiles, settingsPlace } from "./settings-places.ts";

/** The state of mementor's hooks in one settings file. */
export interface HooksState {
  scope: HookScope;
  file: string;
  exists: boolean;
  /** Events with one of mementor's hooks. */
  events: string[];
  /** Events without a hook that this program would write, if other events have one. */
  missing: string[];
  /** Events whose command differs from what this program would write, for example from an older version. */
  outdated: string[];
  /** True if it keeps every hook from running: by `disableAllHooks`, or as a policy that allows only its own. */
  allDisabled: boolean;
  /** `cleanupPeriodDays`; null when it is not set. */
  cleanupDays: number | null;
  /** Why the file cannot be read; null when it can. */
  problem: string | null;
}

/** Reads every settings file that Claude Code reads in this project, those of an organisation last. Never throws. */
export function readHooksState(project: Project, context: SettingsContext): HooksState[] {
  const own = HOOK_SCOPES.toReversed().flatMap((scope) =>
    settingsFiles(scope, project, context).map((file) => stateOf(scope, file, context)),
  );
  return [...own, ...policyFiles(context).flatMap((file) => policyOf(file) ?? [])];
}

/** Returns the state of hooks in an organisation's settings; null if the settings are missing or do not mention hooks. */
function policyOf(file: string): HooksState | null {
  try {
    const switches = readSwitches(readUntrusted(file));
    if (!switches.allDisabled && switches.cleanupDays === null) return null;
    const nothing = { events: [], missing: [], outdated: [], problem: null };
    return { scope: "user", file, exists: true, ...nothing, ...switches };
  } catch {
    return null;
  }
}

/** A reason why hooks do not run as this program intends. */
export type HooksProblem = { message: string; advice: string } & (
  | { what: "unreadable" | "stopped"; file: string }
  | { what: "none" }
  | { what: "outdated"; scope: HookScope }
);

/**
 * Returns the problems of a project's hooks. `doctor` reports all of them, `status` and `enable` those that prevent hooks from
 * running.
 */
export function hooksProblems(states: readonly HooksState[]): HooksProblem[] {
  const isInstalled = states.some(({ events }) => events.length > 0);
  return [
    ...states.flatMap((state) => switchedOff(state) ?? []),
    ...(isInstalled ? states.flatMap((state) => outdatedIn(state) ?? []) : [NONE_INSTALLED]),
  ];
}

const NONE_INSTALLED: HooksProblem = {
  what: "none",
  message: "No hooks are installed.",
  advice: 'Run "mementor enable".',
};

function switchedOff({ file, problem, allDisabled }: HooksState): HooksProblem | null {
  if (problem !== null)
    return {
      ...{ what: "unreadable", file, message: problem },
      advice: "Correct the file; Claude Code cannot read it either.",
    };
  if (!allDisabled) return null;
  return {
    ...{ what: "stopped", file, message: `${file} prevents all hooks from running.` },
    advice:
      'Remove "disableAllHooks" from it. A policy ("allowManagedHooksOnly") can only be changed by who made it; without hooks, ask with "mementor recall".',
  };
}

function outdatedIn({ file, scope, missing, outdated }: HooksState): HooksProblem | null {
  if (missing.length + outdated.length === 0) return null;
  const events = [...new Set([...missing, ...outdated])].join(", ");
  return {
    ...{ what: "outdated", scope, message: `The hooks in ${file} are outdated: ${events}.` },
    advice: `Run "mementor enable --scope ${scope}".`,
  };
}

function stateOf(scope: HookScope, file: string, context: SettingsContext): HooksState {
  const nothing = { events: [], missing: [], outdated: [], allDisabled: false, cleanupDays: null };
  try {
    const text = readUntrusted(file);
    const found = installedHooks(settingsPlace(file, context));
    const commands = [context.program, null].flatMap((program) =>
      scopeEntries(scope, { ...context, takesLater: true, program }).map(keyOf),
    );
    const events = [...new Set(found.map(({ event }) => event))];
    return {
      scope,
      file,
      exists: text !== null,
      events,
      missing:
        events.length === 0
          ? []
          : scopeEntries(scope, context)
              .map(({ event }) => event)
              .filter((event) => !events.includes(event)),
      outdated: found.filter((hook) => !commands.includes(keyOf(hook))).map(({ event }) => event),
      ...readSwitches(text),
      problem: null,
    };
  } catch (error) {
    return { scope, file, exists: true, ...nothing, problem: toMementorError(error).message };
  }
}

/** Returns what must be equal in an existing and a new entry, in either form. */
function keyOf({ event, command, args }: Pick<HookEntry, "event" | "command" | "args">): string {
  return `${event} ${callText(command, args)}`;
}

function readSwitches(text: string | null): Pick<HooksState, "allDisabled" | "cleanupDays"> {
  const settings: unknown = parse(text?.replace(/^\ufeff/, "") ?? "{}", [], { allowTrailingComma: true });
  const member = (name: string): unknown =>
    typeof settings === "object" && settings !== null
      ? Object.getOwnPropertyDescriptor(settings, name)?.value
      : undefined;
  const days = member("cleanupPeriodDays");
  return {
    allDisabled: member("disableAllHooks") === true || member("allowManagedHooksOnly") === true,
    cleanupDays: typeof days === "number" ? days : null,
  };
}

/** Directories of an organisation's settings on platforms where it is not `/etc/claude-code`. */
const DIRECTORIES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode",
};

/** Lists the settings that an organisation may have put on this machine, as Claude Code looks for them. */
export function policyFiles({
  platform,
  policyDir = DIRECTORIES[platform] ?? "/etc/claude-code",
}: Pick<SettingsContext, "platform" | "policyDir">): string[] {
  const { join } = platform === "win32" ? win32 : posix;
  const more = join(policyDir, "managed-settings.d");
  return [join(policyDir, "managed-settings.json"), ...jsonFilesIn(more).map((name) => join(more, name))];
}

function jsonFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/**
 * Chooses the scope of the hooks when the user does not: the scope that already has them; else `local`, which nobody else
 * sees.
 */
export function chooseScope(hooks: readonly HooksState[]): HookScope {
  const installed = HOOK_SCOPES.find((scope) =>
    hooks.some((state) => state.scope === scope && state.events.length > 0),
  );
  return installed ?? "local";
}
