import { parse } from "jsonc-parser";
import { toMementorError } from "../errors.ts";
import type { Project } from "../git/project.ts";
import { readUntrusted } from "../io/read.ts";
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
  /** Whether `disableAllHooks` is set. */
  allDisabled: boolean;
  /** `cleanupPeriodDays`; null when it is not set. */
  cleanupDays: number | null;
  /** Why the file cannot be read; null when it can. */
  problem: string | null;
}

/** Reads every settings file that Claude Code reads in this project. Never throws. */
export function hooksState(project: Project, context: SettingsContext): HooksState[] {
  return HOOK_SCOPES.toReversed().flatMap((scope) =>
    settingsFiles(scope, project, context).map((file) => stateOf(scope, file, context)),
  );
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

/** What must be the same in the settings and in what this program would write, in either form. */
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
    allDisabled: member("disableAllHooks") === true,
    cleanupDays: typeof days === "number" ? days : null,
  };
}
