import { HOOK_SCOPES, type HookScope } from "./hook-entries.ts";
import type { HooksState } from "./hooks-state.ts";

/**
 * Chooses the scope of the hooks when the user does not: the scope that already has them; else `local`, which nobody else
 * sees.
 */
export function chooseScope(hooks: readonly HooksState[]): HookScope {
  const installed = HOOK_SCOPES.find((scope) =>
    hooks.some((state) => state.scope === scope && state.events.length > 0),
  );
  return installed ?? "local";
}
