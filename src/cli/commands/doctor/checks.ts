import { dirname, join } from "node:path";
import { logFileOf } from "../../../project/log.ts";
import { readLog } from "../../../project/read-log.ts";
import { memoryPlace } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { rewriteHooks } from "../../../setup/enable.ts";
import { installedProgram, installProgram, isInstalled } from "../../../setup/program/install-program.ts";
import { readHooksState } from "../../../setup/settings/hooks-state.ts";
import { VERSION_LINE } from "../../../version.ts";
import { settingsContext } from "../../settings-context.ts";
import { parseLogLine } from "../told/log.ts";
import type { Check } from "./check.ts";
import { engineChecks } from "./engine.ts";
import { hooksChecks, installationChecks } from "./installation.ts";
import { memoryChecks } from "./memory.ts";
import { checkAgents, checkPlugin, checksOfOthers } from "./others.ts";
import { engineTools } from "./tools.ts";

/** How far back to look for errors in the log, in ms. */
const RECENT_MS = 86_400_000;

/** Returns every check of `doctor`, in the order in which they run. */
export function checksFor(runtime: Runtime): Check[] {
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
      versionOf,
    }),
    { name: "plugin", run: () => checkPlugin(runtime) },
    ...hooksChecks({ hooks, rewrite: (scope) => rewriteHooks(scope, project, context) }),
    { name: "agents", run: () => checkAgents(runtime) },
    ...memoryChecks({
      root: project.root,
      configDir: paths.configDir,
      dataDir: paths.dataDir,
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

async function versionOf(binary: string): Promise<string | null> {
  try {
    const child = Bun.spawn([binary, "--version"], {
      cwd: dirname(binary),
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
    errors.push(`${line.event} (${line.time}) in ${logFileOf(logDirectory)}`);
  }
  return errors;
}
