import type { Host } from "../host.ts";
import { readUntrusted, statIfExists } from "../io/read.ts";
import { HOOK_SCOPES } from "../project/hook-entries.ts";
import { FROM_PLUGIN, HOOK_EVENTS } from "../project/hook-events.ts";
import { installedProgram } from "../project/install-program.ts";
import { mementorOnPath } from "../project/on-path.ts";
import type { SettingsContext } from "../project/settings-places.ts";
import type { HookEvent } from "./hook.ts";
import { runtimeOf } from "./memory.ts";
import type { HookPayload } from "./payload.ts";

/**
 * Returns true when the plugin calls this hook, but settings of this project call it too. Then the call from the
 * settings does the work.
 */
export async function isLeftToSettings(host: Host, event: HookEvent, payload: HookPayload): Promise<boolean> {
  if (!host.argv.includes(FROM_PLUGIN)) return false;
  const { settingsFiles } = await import("../project/settings-places.ts");
  const { paths, project } = runtimeOf(host, payload);
  const context = { ...paths, self: host.self, platform: host.platform };
  const name = HOOK_EVENTS.find(({ word }) => word === event)?.event;
  for (const scope of HOOK_SCOPES) {
    for (const file of settingsFiles(scope, project, context)) {
      const commands = await commandsIn(file, context, name);
      if (commands.some((command) => isRunnable(command, host))) return true;
    }
  }
  return false;
}

/** Returns mementor's commands for an event in a settings file. Empty when Claude Code cannot read the file either. */
async function commandsIn(
  file: string,
  context: SettingsContext,
  event: string | undefined,
): Promise<string[]> {
  try {
    // Most files hold no hook. Searching for the word is cheaper than parsing.
    if (!readUntrusted(file)?.includes(" hook ")) return [];
    const { installedHooks } = await import("../project/settings-file.ts");
    const { settingsPlace } = await import("../project/settings-places.ts");
    const found = installedHooks(settingsPlace(file, context));
    return found.filter((hook) => hook.event === event).map(({ command }) => command);
  } catch {
    return [];
  }
}

/**
 * Returns false when a command does nothing because its program is missing. Earlier versions looked for the program
 * on the PATH.
 */
function isRunnable(command: string, host: Host): boolean {
  if (command.startsWith("test -x ")) return statIfExists(installedProgram(host)) !== null;
  const looksOnPath = command.startsWith("command -v mementor ");
  return !looksOnPath || mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
}
