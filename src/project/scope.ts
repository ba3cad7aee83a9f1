import { HOOK_SCOPES, type HookScope } from "./hook-entries.ts";
import type { HooksState } from "./hooks-state.ts";

/**
 * Chooses where the hooks go when nobody says so: where they are already; else into the settings that are shared with
 * the repository, where the program is installed for everybody's use; or into the user's own for this project.
 */
export function chooseScope(hooks: readonly HooksState[], isOnPath: boolean): HookScope {
  const installed = HOOK_SCOPES.find((scope) =>
    hooks.some((state) => state.scope === scope && state.events.length > 0),
  );
  return installed ?? (isOnPath ? "project" : "local");
}
