import type { UserDirs } from "../../project/memory.ts";
import type { SettingsContext } from "../../project/settings-places.ts";
import type { Runtime } from "../../runtime.ts";

/** Returns where this user's settings are and how hooks start this program. */
export function settingsContext({ host, paths }: Runtime): SettingsContext & UserDirs {
  const { claudeDir, configDir, dataDir } = paths;
  return { claudeDir, configDir, dataDir, self: host.self, platform: host.platform };
}
