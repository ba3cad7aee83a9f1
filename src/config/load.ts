import { statIfExists } from "../io/read.ts";
import type { ConfigSources, LoadedConfig } from "./config.ts";
import { DEFAULTS, VARIABLE_PREFIX, variableOf } from "./defaults.ts";

/**
 * Loads the effective configuration like `loadConfig`, but faster. When nothing is configured, as on most machines, it
 * does not load the schema and the parsers, which would slow down every hook. Never rejects.
 */
export async function loadConfigQuickly(sources: ConfigSources): Promise<LoadedConfig> {
  const { userFile, projectFile, treeFile, env } = sources;
  const hasFile = [userFile, projectFile, treeFile].some((file) => file != null && isThere(file));
  if (!hasFile && !hasVariable(env)) return untouched();
  const { loadConfig } = await import("./config.ts");
  return loadConfig(sources);
}

/** Only regular files count: reading a named pipe in a cloned repository would block. */
function isThere(file: string): boolean {
  return statIfExists(file)?.isFile() ?? false;
}

function hasVariable(env: ConfigSources["env"]): boolean {
  const hasAny = Object.keys(env).some((name) => name.toUpperCase().startsWith(VARIABLE_PREFIX));
  return hasAny && settings().some((path) => env[variableOf(path)]);
}

const settings = (): string[][] =>
  Object.entries(DEFAULTS).flatMap(([group, settings]) => Object.keys(settings).map((name) => [group, name]));

function untouched(): LoadedConfig {
  return {
    config: {
      ...DEFAULTS,
      recall: { ...DEFAULTS.recall, related: [] },
      exclude: { paths: [], projects: [] },
      team: { ...DEFAULTS.team, servers: [] },
    },
    get origins() {
      return Object.fromEntries(settings().map((path) => [path.join("."), "default" as const]));
    },
    problems: [],
  };
}
