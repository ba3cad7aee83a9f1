import type { HookShell } from "./hook-command.ts";
import { HOOK_SCOPES, type HookScope } from "./hook-entries.ts";
import type { HooksState } from "./hooks-state.ts";

/**
 * Chooses the scope of the hooks when the user does not: the scope that already has them; else `project`, which is
 * shared with the repository, if the program is on the PATH and Claude Code runs what is shared; else `local`.
 */
export function chooseScope(
  hooks: readonly HooksState[],
  isOnPath: boolean,
  shell: HookShell = "sh",
): HookScope {
  const installed = HOOK_SCOPES.find((scope) =>
    hooks.some((state) => state.scope === scope && state.events.length > 0),
  );
  return installed ?? (isOnPath && shell === "sh" ? "project" : "local");
}
