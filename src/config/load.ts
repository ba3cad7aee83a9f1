import { statIfExists } from "../io/read.ts";
import type { ConfigSources, LoadedConfig } from "./config.ts";
import { DEFAULTS, variableOf } from "./defaults.ts";

/**
 * Loads the effective configuration as `loadConfig` does. Where nothing is configured, as on most machines, the schema
 * and its parsers are not even loaded, which every hook would pay for. Never rejects.
 */
export async function loadConfigQuickly(sources: ConfigSources): Promise<LoadedConfig> {
  const { userFile, projectFile, treeFile, env } = sources;
  const hasFile = [userFile, projectFile, treeFile].some((file) => file != null && isThere(file));
  if (!hasFile && !SETTINGS.some((path) => env[variableOf(path)])) return untouched();
  const { loadConfig } = await import("./config.ts");
  return loadConfig(sources);
}

/** A named pipe in a tree from elsewhere would be waited for. */
function isThere(file: string): boolean {
  return statIfExists(file)?.isFile() ?? false;
}

const SETTINGS: readonly string[][] = Object.entries(DEFAULTS).flatMap(([group, settings]) =>
  Object.keys(settings).map((name) => [group, name]),
);

function untouched(): LoadedConfig {
  return {
    config: { ...DEFAULTS, exclude: { paths: [], projects: [] } },
    origins: Object.fromEntries(SETTINGS.map((path) => [path.join("."), "default"])),
    problems: [],
  };
}
