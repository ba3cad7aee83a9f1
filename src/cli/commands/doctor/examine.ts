import { dirname, join } from "node:path";
import type { Host } from "../../../host.ts";
import { childEnvironment } from "../../../io/passed-on.ts";
import { logFilePath } from "../../../project/log.ts";
import { readLog } from "../../../project/read-log.ts";
import { memoryPlace } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { rewriteHooks } from "../../../setup/enable.ts";
import { installedProgram, installProgram, isInstalled } from "../../../setup/program/install-program.ts";
import { readHooksState } from "../../../setup/settings/hooks-state.ts";
import { printable } from "../../../text/invisible.ts";
import { plural } from "../../../text/numbers.ts";
import { VERSION_LINE } from "../../../version.ts";
import { requireNamedDatabase } from "../../memory.ts";
import { settingsContext } from "../../settings-context.ts";
import { type Style, styleFor } from "../../terminal/screen.ts";
import { renderResult } from "../../terminal/view.ts";
import { parseLogLine } from "../told.ts";
import { type Check, type Diagnosis, diagnose } from "./check.ts";
import { engineChecks } from "./engine.ts";
import { hooksChecks, installationChecks, memoryChecks } from "./installation.ts";
import { checkAgents, checkPlugin, checksOfOthers } from "./others.ts";
import { engineTools } from "./tools.ts";

/** Runs every check and prints each finding as soon as it is known. Returns the exit code. */
export async function runChecks(
  { fix, json }: { fix: boolean; json: boolean },
  runtime: Runtime,
): Promise<number> {
  await requireNamedDatabase(runtime);
  const { stdout, env } = runtime.host;
  const style = styleFor(stdout, env);
  const found: Diagnosis[] = [];
  for await (const diagnosis of diagnose(checksFor(runtime), { fix })) {
    found.push(diagnosis);
    if (!json) stdout.write(renderDiagnosis(diagnosis, style));
  }
  stdout.write(json ? renderResult(found) : renderVerdict(found, { fix }, style));
  return found.some(({ state }) => state === "error") ? 1 : 0;
}

const LABEL_WIDTH = 13;

/** Renders the result of one check of `doctor`, with what to do about it. */
function renderDiagnosis({ name, state, message, advice, fixed }: Diagnosis, style: Style): string {
  const label = name.padEnd(LABEL_WIDTH);
  const indent = " ".repeat(9 + LABEL_WIDTH);
  const before = fixed === null ? "" : `${indent}${style.dim(`was: ${printable(fixed)}`)}\n`;
  const what = state === "ok" || advice === null ? "" : `${indent}${style.bold(printable(advice))}\n`;
  return `${word(state, fixed, style)} ${label}${printable(message)}\n${before}${what}`;
}

function word(state: Diagnosis["state"], fixed: string | null, style: Style): string {
  if (state === "error") return style.red("error  ".padEnd(8));
  if (state === "warning") return style.yellow("warning".padEnd(8));
  return style.green((fixed === null ? "ok" : "fixed").padEnd(8));
}

/** Renders the overall result. */
function renderVerdict(found: readonly Diagnosis[], { fix }: { fix: boolean }, style: Style): string {
  const count = (wanted: Diagnosis["state"]) => found.filter(({ state }) => state === wanted).length;
  const errors = count("error");
  const warnings = count("warning");
  const fixable = found.some(({ state, canFix }) => state !== "ok" && canFix);
  const hint = fixable && !fix ? ` Run "mementor doctor --fix" to repair what can be repaired.` : "";
  if (errors > 0)
    return `\n${style.red(plural(errors, "error"))}${warnings > 0 ? `, ${plural(warnings, "warning")}` : ""}.${hint}\n`;
  if (warnings > 0)
    return `\n${style.yellow(plural(warnings, "warning"))}; everything else is fine.${hint}\n`;
  return `\n${style.green("Everything is fine.")}\n`;
}

/** How far back to look for errors in the log, in ms. */
const RECENT_MS = 86_400_000;

/** Returns every check of `doctor`, in the order in which they run. */
function checksFor(runtime: Runtime): Check[] {
  const { host, paths, project } = runtime;
  const context = settingsContext(runtime);
  const hooks = () => readHooksState(project, context);
  const { directory } = memoryPlace(paths, project.root);
  const logDirectory = join(directory, "log");
  return [
    ...installationChecks({
      self: host.self,
      platform: host.platform,
      path: host.env.PATH ?? "",
      version: VERSION_LINE,
      hooks,
      program: {
        file: installedProgram(host),
        isThis: () => isInstalled(host),
        install: () => void installProgram(host),
      },
      versionOf: (binary) => versionOf(binary, host.env),
    }),
    { name: "plugin", run: () => checkPlugin(runtime) },
    ...hooksChecks({ hooks, rewrite: (scope) => rewriteHooks(scope, project, context) }),
    { name: "agents", run: () => checkAgents(runtime) },
    ...memoryChecks({
      root: project.root,
      configDir: paths.configDir,
      dataDir: paths.dataDir,
      isUnconfirmed: paths.isUnconfirmed,
      otherDataDirs: paths.otherDataDirs,
      memoryDirectory: directory,
      logDirectory,
      uid: host.uid,
      recentErrors: async () =>
        (await runtime.origin()) === "own" ? recentErrors(logDirectory, host.now()) : [],
    }),
    ...checksOfOthers(runtime),
    ...engineChecks(engineTools(runtime)),
  ];
}

async function versionOf(binary: string, env: Host["env"]): Promise<string | null> {
  try {
    const child = Bun.spawn([binary, "--version"], {
      cwd: dirname(binary),
      env: childEnvironment(env),
      stdin: "ignore",
      stderr: "ignore",
      timeout: 5_000,
    });
    const text = await child.stdout.text();
    return (await child.exited) === 0 ? text.trim() : null;
  } catch {
    return null;
  }
}

async function recentErrors(logDirectory: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - RECENT_MS).toISOString();
  const errors: string[] = [];
  for await (const text of readLog(logDirectory)) {
    const line = parseLogLine(text);
    if (line?.level !== "error" || line.time < since) continue;
    errors.push(`${line.event} (${line.time}) in ${logFilePath(logDirectory)}`);
  }
  return errors;
}
