import type { HookScope } from "./hook-entries.ts";
import type { HooksState } from "./hooks-state.ts";

/** The scopes in the order in which Claude Code's settings win, the most specific first. */
const SCOPES: readonly HookScope[] = ["local", "project", "user"];

/**
 * Chooses where the hooks go when nobody says so: where they are already; else into the settings that are shared with
 * the repository, where the program is installed for everybody's use; or into the user's own for this project.
 */
export function chooseScope(hooks: readonly HooksState[], isOnPath: boolean): HookScope {
  const installed = SCOPES.find((scope) =>
    hooks.some((state) => state.scope === scope && state.events.length > 0),
  );
  return installed ?? (isOnPath ? "project" : "local");
}
