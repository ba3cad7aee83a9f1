import { statIfExists } from "../io/read.ts";
import type { ConfigSources, LoadedConfig } from "./config.ts";
import { ALL_SETTINGS, DEFAULTS, VARIABLE_PREFIX } from "./settings.ts";

/**
 * Loads the effective configuration like `loadConfig`, but faster when nothing is configured, as on most machines. Then it does
 * not load the schema and the parsers, which would slow down every hook. Never rejects.
 */
export async function loadConfigQuickly(sources: ConfigSources): Promise<LoadedConfig> {
  const { userFile, projectFile, treeFile, env } = sources;
  const hasFile = [userFile, projectFile, treeFile].some((file) => file != null && isThere(file));
  if (!hasFile && !hasVariable(env)) return untouched();
  const { loadConfig } = await import("./config.ts");
  return loadConfig(sources);
}

/** Tells whether a regular file exists. Reading a named pipe in a cloned repository would block. */
function isThere(file: string): boolean {
  return statIfExists(file)?.isFile() ?? false;
}

function hasVariable(env: ConfigSources["env"]): boolean {
  const hasAny = Object.keys(env).some((name) => name.toUpperCase().startsWith(VARIABLE_PREFIX));
  return hasAny && ALL_SETTINGS.some(({ variable }) => env[variable]);
}

function untouched(): LoadedConfig {
  const origins = Object.fromEntries(ALL_SETTINGS.map(({ key }) => [key, "default"]));
  return { config: DEFAULTS, origins, problems: [] };
}
