import type { ConfigProblem, LoadedConfig } from "./config.ts";

/**
 * Returns why it is not known what the user wants left out: a file of settings that cannot be read, or a bad value of
 * `exclude`; null where it is known.
 */
export function exclusionProblem({ problems }: Pick<LoadedConfig, "problems">): ConfigProblem | null {
  return problems.find(({ key }) => key === "" || key === GROUP || key.startsWith(`${GROUP}.`)) ?? null;
}

const GROUP = "exclude";
