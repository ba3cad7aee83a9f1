/** The default of every setting, in the shape of the configuration files. */
export const DEFAULTS = {
  recall: {
    prompt: true,
    file: true,
    failure: true,
    invite: true,
    agentNotes: true,
    related: [],
  },
  budgets: { prompt: 1_000 },
  search: { k: 10, promptK: 3, gate: "normal" },
  exclude: { paths: [], projects: [] },
  embedding: { model: "bge-small-en-v1.5-int8", runtime: "auto", wasmInHooks: false, saveEnergy: true },
  team: { servers: [], trust: "all", recall: true, keepDays: 0, keepTurns: 100_000 },
  log: { level: "info" },
} as const;

/** How the names of the environment variables begin that override settings. */
export const VARIABLE_PREFIX = "MEMENTOR_";

/** Returns the environment variable that overrides a setting: `MEMENTOR_` and its path. */
export function variableOf(path: readonly string[]): string {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return `${VARIABLE_PREFIX}${path.map(snake).join("_")}`;
}
