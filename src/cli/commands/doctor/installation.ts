import { accessSync, chmodSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { ioError } from "../../../io/errors.ts";
import { realPathIfExists, statIfExists } from "../../../io/read.ts";
import type { UserDirs } from "../../../project/memory.ts";
import { closedRegistry, memoryRefusal } from "../../../project/refusal.ts";
import { isRegistryBroken, isRegistryClosed, registryPath } from "../../../project/registry.ts";
import { projectTrust } from "../../../project/trust.ts";
import { mementorOnPath } from "../../../setup/program/install-program.ts";
import type { HookScope } from "../../../setup/settings/hook-entries.ts";
import { type HooksState, hooksProblems } from "../../../setup/settings/hooks-state.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

interface InstallationContext {
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
  if (!statIfExists(file)) return failure(`Hooks start ${file}, which does not exist.`, advice, install);
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

interface MemoryContext extends UserDirs {
  root: string;
  memoryDirectory: string;
  logDirectory: string;
  /** Null on a platform without user ids. */
  uid: number | null;
  /** Events of level `error` in the last day's log, newest last. */
  recentErrors: () => Promise<readonly string[]>;
}

/** Checks that the memory is trusted and closed to other users, and that its log has no errors. */
export function memoryChecks(context: MemoryContext): Check[] {
  return [
    { name: "registry", run: () => checkRegistry(context) },
    { name: "trust", run: () => checkTrust(context) },
    { name: "permissions", run: () => checkPermissions(context) },
    { name: "log", run: () => checkLog(context) },
  ];
}

function checkRegistry({ configDir }: MemoryContext): Finding {
  if (isRegistryClosed(configDir)) {
    const { message, hint = "" } = closedRegistry({ configDir });
    return failure(message, hint);
  }
  if (!isRegistryBroken(configDir)) return ok("The registry of projects can be read.");
  const advice = 'Run "mementor enable" in your projects again; the broken file is set aside.';
  return failure(`${registryPath(configDir)} cannot be read, so no project is enabled.`, advice);
}

function checkTrust(context: MemoryContext): Finding {
  const refusal = memoryRefusal(context, context.root);
  if (refusal) return failure(refusal.message, refusal.hint ?? "");
  switch (projectTrust(context, context.root)) {
    case "trusted":
      return ok(`The memory of this project is ${context.memoryDirectory}.`);
    case "new":
      return ok("The project is enabled. Its memory is created when the first turn ends.");
    case "off":
    case "foreign":
      return failure("The project is not enabled.", 'Run "mementor enable".');
    case "unmoved":
      return warning(
        "An older version of mementor is still using this project's memory, so it is not yet moved to your data directory.",
        'It is moved by the next hook or command; try "mementor status" later.',
      );
  }
}

function checkPermissions({ configDir, dataDir, memoryDirectory, uid }: MemoryContext): Finding {
  // Without a memory, the directory is in the project's tree, whose modes are up to the user.
  const isOurs = memoryDirectory.startsWith(dataDir);
  const memory = isOurs ? [dataDir, memoryDirectory, ...filesOf(memoryDirectory)] : [];
  const paths = [...memory, configDir, registryPath(configDir)];
  if (uid === null) return ok("This platform has no file modes to check.");
  const others = paths.filter((path) => (statIfExists(path)?.uid ?? uid) !== uid);
  if (others.length > 0)
    return failure(
      `These belong to another user: ${others.join(", ")}.`,
      "Become their owner (chown), or remove them.",
    );
  const open = paths.filter((path) => ((statIfExists(path)?.mode ?? 0) & 0o077) !== 0);
  if (open.length === 0) return ok("The memory is closed to other users.");
  return warning(`Other users can reach ${open.join(", ")}.`, 'Run "mementor doctor --fix".', () =>
    open.forEach(close),
  );
}

function filesOf(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return (
      entries
        // The configuration is written by hand, with any mode. It is no secret, and its directory is closed.
        .filter((entry) => !entry.isSymbolicLink() && entry.name !== "config.json")
        .map((entry) => join(entry.parentPath, entry.name))
    );
  } catch {
    return [];
  }
}

function close(path: string): void {
  try {
    chmodSync(path, statIfExists(path)?.isDirectory() ? 0o700 : 0o600);
  } catch (error) {
    throw ioError(error, `close ${path}`);
  }
}

async function checkLog({ logDirectory, recentErrors }: MemoryContext): Promise<Finding> {
  if (!statIfExists(logDirectory)) return ok("Nothing is logged yet.");
  try {
    accessSync(logDirectory, constants.W_OK | constants.X_OK);
  } catch {
    return warning(`${logDirectory} cannot be written.`, "Check its owner and its mode.");
  }
  const errors = await recentErrors();
  if (errors.length === 0) return ok(`No errors in ${logDirectory} since yesterday.`);
  return warning(
    `${errors.length} ${errors.length === 1 ? "error" : "errors"} in the log since yesterday, the last: ${errors.at(-1)}.`,
    'See "mementor told --log".',
  );
}
