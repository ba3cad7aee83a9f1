import { realPathIfExists, statIfExists } from "../../../io/read.ts";
import { mementorOnPath } from "../../../setup/program/install-program.ts";
import type { HookScope } from "../../../setup/settings/hook-entries.ts";
import { type HooksState, hooksProblems } from "../../../setup/settings/hooks-state.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

export interface InstallationContext {
  /** The command that starts this program. */
  self: readonly string[];
  platform: NodeJS.Platform;
  /** The `PATH` variable. */
  path: string;
  version: string;
  hooks: () => readonly HooksState[];
  /** The file that hooks start, whether it is this program, and how to install this program there. */
  program: { file: string; isThis: () => boolean; install: () => void };
  /** Returns another binary's `--version`; null when it does not answer. */
  versionOf: (binary: string) => Promise<string | null>;
}

/** Checks that a shell and the hooks find this binary, of this version. */
export function installationChecks(context: InstallationContext): Check[] {
  return [
    { name: "binary", run: () => checkBinary(context) },
    { name: "program", run: () => checkProgram(context) },
  ];
}

async function checkBinary({ self, platform, path, version, versionOf }: InstallationContext) {
  const found = mementorOnPath(path, platform);
  if (found === null) return ok(`Runs as ${self.join(" ")}; "mementor" is not on the PATH.`);
  if (realPathIfExists(found) === realPathIfExists(self[0] ?? ""))
    return ok(`${found} is on the PATH (${version}).`);
  const other = await versionOf(found);
  if (other === version) return ok(`${found} is on the PATH (${version}), a copy of this binary.`);
  return warning(
    `${found} comes first on the PATH, and is ${other ?? "a program that does not answer"}; this is ${version}.`,
    "Replace it with this binary, or remove it.",
  );
}

async function checkProgram({ hooks, program, version, versionOf }: InstallationContext): Promise<Finding> {
  const { file, isThis, install } = program;
  const advice = 'Run "mementor doctor --fix", or "mementor enable".';
  if (hooks().every(({ events }) => events.length === 0)) return ok("No hooks are installed.");
  if (isThis()) return ok(`Hooks start ${file}, which is this binary.`);
  if (!statIfExists(file)) return failure(`Hooks start ${file}, which is not there.`, advice, install);
  const other = await versionOf(file);
  if (other === version) return ok(`Hooks start ${file} (${version}).`);
  return warning(
    `Hooks start ${file}, which is ${other ?? "a program that does not answer"}; this is ${version}.`,
    advice,
    install,
  );
}

/** Claude Code's default. */
const DEFAULT_CLEANUP_DAYS = 30;

/**
 * With fewer days than this, a transcript may be deleted before it is read, if nobody works in the project for a
 * week.
 */
const SHORT_CLEANUP_DAYS = 7;

interface HooksContext {
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
  const problems = hooksProblems(hooks);
  const found =
    problems.find(({ what }) => what === "unreadable") ?? problems.find(({ what }) => what === "stopped");
  return found ? failure(found.message, found.advice) : ok("Claude Code's settings can be read.");
}

function checkHooks(hooks: readonly HooksState[], rewrite: (scope: HookScope) => void): Finding {
  for (const problem of hooksProblems(hooks)) {
    const { what, message, advice } = problem;
    if (what === "none") return failure(message, advice);
    if (what === "outdated") return warning(message, advice, () => rewrite(problem.scope));
  }
  const files = hooks.filter(({ events }) => events.length > 0).map(({ file }) => file);
  return ok(`Hooks are in ${files.join(", ")}.`);
}

/** The most specific settings win: local, project, user. */
function checkCleanup(hooks: readonly HooksState[]): Finding {
  const days = hooks.findLast(({ cleanupDays }) => cleanupDays !== null)?.cleanupDays ?? DEFAULT_CLEANUP_DAYS;
  const message = `Claude Code deletes transcripts after ${days} days. What was read before stays in the memory.`;
  if (days >= SHORT_CLEANUP_DAYS) return ok(message);
  return warning(message, 'Raise "cleanupPeriodDays" in Claude Code\'s settings.');
}
