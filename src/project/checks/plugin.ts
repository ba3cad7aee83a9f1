import { type Check, ok, warning } from "../doctor.ts";

export interface PluginContext {
  /** Whether the plugin of Claude Code is installed, and is not the one that this program brings. */
  isOutdated: () => boolean;
  isInstalled: () => boolean;
  renew: () => void;
}

/** Checks that an installed plugin is of this version. */
export function pluginChecks({ isOutdated, isInstalled, renew }: PluginContext): Check[] {
  const run = () =>
    isOutdated()
      ? warning(
          "The plugin of Claude Code is from another version, which may allow agents more than this one.",
          'Run "mementor doctor --fix", or "mementor plugin install".',
          renew,
        )
      : ok(`The plugin of Claude Code is ${isInstalled() ? "up to date" : "not installed"}.`);
  return [{ name: "plugin", run }];
}
