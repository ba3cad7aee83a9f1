import type { HookScope } from "../hook-entries.ts";
import type { HooksState } from "../hooks-state.ts";
import { type Check, type Finding, failure, ok, warning } from "./checks.ts";

/** Claude Code's default. */
const DEFAULT_CLEANUP_DAYS = 30;

/**
 * With fewer days than this, a transcript may be deleted before it is read, if nobody works in the project for a
 * week.
 */
const SHORT_CLEANUP_DAYS = 7;

export interface HooksContext {
  hooks: () => readonly HooksState[];
  /** Writes the hooks of a scope again, as `enable` does. */
  rewrite: (scope: HookScope) => void;
}

/** Checks that Claude Code's settings can be read, contain current hooks and let them run. */
export function hooksChecks({ hooks, rewrite }: HooksContext): Check[] {
  return [
    { name: "settings", run: () => checkSettings(hooks()) },
    { name: "hooks", run: () => checkHooks(hooks(), rewrite) },
    { name: "cleanup", run: () => checkCleanup(hooks()) },
  ];
}

function checkSettings(hooks: readonly HooksState[]): Finding {
  const broken = hooks.find(({ problem }) => problem !== null);
  if (broken?.problem) return failure(broken.problem, "Correct the file; Claude Code cannot read it either.");
  const disabled = hooks.find(({ allDisabled }) => allDisabled);
  if (disabled)
    return failure(
      `${disabled.file} keeps all hooks from running.`,
      'Remove "disableAllHooks" from it. A policy ("allowManagedHooksOnly") can only be changed by who made it; without hooks, ask with "mementor recall".',
    );
  return ok("Claude Code's settings can be read.");
}

function checkHooks(hooks: readonly HooksState[], rewrite: (scope: HookScope) => void): Finding {
  const installed = hooks.filter(({ events }) => events.length > 0);
  const [first] = installed;
  if (!first) return failure("No hooks are installed.", 'Run "mementor enable".');
  const stale = installed.find(({ missing, outdated }) => missing.length + outdated.length > 0);
  if (stale) {
    const events = [...new Set([...stale.missing, ...stale.outdated])].join(", ");
    const message = `The hooks in ${stale.file} are outdated: ${events}.`;
    return warning(message, `Run "mementor enable --scope ${stale.scope}".`, () => rewrite(stale.scope));
  }
  const files = installed.map(({ file }) => file).join(", ");
  return ok(`Hooks are in ${files}.`);
}

/** The most specific settings win: local, project, user. */
function checkCleanup(hooks: readonly HooksState[]): Finding {
  const days = hooks.findLast(({ cleanupDays }) => cleanupDays !== null)?.cleanupDays ?? DEFAULT_CLEANUP_DAYS;
  const message = `Claude Code deletes transcripts after ${days} days. What was read before stays in the memory.`;
  if (days >= SHORT_CLEANUP_DAYS) return ok(message);
  return warning(message, 'Raise "cleanupPeriodDays" in Claude Code\'s settings.');
}
