import type { HookPayload } from "../agents/hook-payload.ts";
import type { Host } from "../host.ts";
import { readUntrusted, statIfExists } from "../io/read.ts";
import { installedProgram, mementorOnPath } from "../setup/program/install-program.ts";
import { HOOK_SCOPES } from "../setup/settings/hook-entries.ts";
import { FROM_PLUGIN_FLAG, HOOK_EVENTS, NO_SHELL_FLAG } from "../setup/settings/hook-events.ts";
import type { FoundHook } from "../setup/settings/settings-hooks.ts";
import type { SettingsContext } from "../setup/settings/settings-places.ts";
import type { HookEvent } from "./hook.ts";
import { hookRuntime } from "./memory.ts";

/**
 * Tells whether another hook does the work: one in the settings if the plugin called this one, or a shell hook if this one was
 * started without a shell. Claude Code deduplicates only identical hooks.
 */
export async function isLeftToSettings(host: Host, event: HookEvent, payload: HookPayload): Promise<boolean> {
  const { settingsFiles } = await import("../setup/settings/settings-places.ts");
  const { paths, project } = await hookRuntime(host, payload);
  const context = { ...paths, self: host.self, platform: host.platform };
  const name = HOOK_EVENTS.find(({ word }) => word === event)?.event;
  const isFromPlugin = host.argv.includes(FROM_PLUGIN_FLAG);
  for (const scope of HOOK_SCOPES) {
    for (const file of settingsFiles(scope, project, context)) {
      const found = await hooksIn(file, context, isFromPlugin);
      const others = found.filter((hook) => hook.event === name && (isFromPlugin || !hook.isExec));
      if (others.some((hook) => isRunnable(hook, host))) return true;
    }
  }
  return false;
}

/** Returns mementor's hooks in a settings file. Empty when Claude Code cannot read the file either. */
async function hooksIn(file: string, context: SettingsContext, withExec: boolean): Promise<FoundHook[]> {
  try {
    // Most files hold no such hook. Searching for the words is cheaper than parsing.
    const text = readUntrusted(file) ?? "";
    if (!text.includes(" hook ") && !(withExec && text.includes(NO_SHELL_FLAG))) return [];
    const { installedHooks } = await import("../setup/settings/settings-file.ts");
    const { settingsPlace } = await import("../setup/settings/settings-places.ts");
    return installedHooks(settingsPlace(file, context));
  } catch {
    return [];
  }
}

/**
 * Returns false when a hook does nothing because its program is missing. Earlier versions looked for the program on the
 * PATH.
 */
function isRunnable({ command, isExec }: FoundHook, host: Host): boolean {
  if (isExec || command.startsWith("test -x ")) return statIfExists(installedProgram(host)) !== null;
  const looksOnPath = command.startsWith("command -v mementor ");
  return !looksOnPath || mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
}
