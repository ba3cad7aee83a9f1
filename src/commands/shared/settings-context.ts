import type { SettingsContext } from "../../project/settings-places.ts";
import type { Runtime } from "../../runtime.ts";

/** Returns where this user's settings are and how hooks start this program. */
export function settingsContext({ host, paths }: Runtime): SettingsContext {
  const { claudeDir, configDir } = paths;
  return { claudeDir, configDir, self: host.self, platform: host.platform };
}
