import { dirname, join } from "node:path";
import { relatedStates } from "../../across/related.ts";
import { hasFolders } from "../../folder/settings.ts";
import { logFileOf } from "../../log/log.ts";
import { readLog } from "../../log/read.ts";
import { pluginDirectory, pluginState } from "../../plugin/directory.ts";
import { renewedFiles } from "../../plugin/files.ts";
import { isOutdated, renewPlugin } from "../../plugin/install.ts";
import { agentState, installForAgents } from "../../project/agent-hooks/install.ts";
import { agentTargets } from "../../project/agent-hooks/targets.ts";
import { agentChecks } from "../../project/checks/agents.ts";
import { configChecks } from "../../project/checks/config.ts";
import { engineChecks } from "../../project/checks/engine.ts";
import { hooksChecks } from "../../project/checks/hooks.ts";
import { installationChecks } from "../../project/checks/installation.ts";
import { memoryChecks } from "../../project/checks/memory.ts";
import { pluginChecks } from "../../project/checks/plugin.ts";
import { promotedChecks } from "../../project/checks/promoted.ts";
import { relatedChecks } from "../../project/checks/related.ts";
import { folderChecks, teamChecks } from "../../project/checks/team.ts";
import { type Check, type Diagnosis, diagnose } from "../../project/doctor.ts";
import { rewriteHooks } from "../../project/enable.ts";
import { hooksState } from "../../project/hooks-state.ts";
import { installedProgram, installProgram, isInstalled } from "../../project/install-program.ts";
import { isOf, type Promotion, standing } from "../../project/promote/record.ts";
import { memoryPlace } from "../../project/trust.ts";
import { renderResult } from "../../render/json.ts";
import { plural } from "../../render/plural.ts";
import { type Style, styleFor } from "../../render/style.ts";
import type { Runtime } from "../../runtime.ts";
import { syncState } from "../../team/backoff.ts";
import { hasTeams } from "../../team/settings.ts";
import { printable } from "../../text/invisible.ts";
import { VERSION_LINE } from "../../version.ts";
import { configProblems } from "../shared/config-problems.ts";
import { folderOf } from "../shared/folder.ts";
import { folderSeen } from "../shared/folder-state.ts";
import { requireNamedDatabase } from "../shared/memory.ts";
import { apartFrom } from "../shared/project-name.ts";
import { settingsContext } from "../shared/settings-context.ts";
import { teamOf } from "../shared/team.ts";
import { parseLogLine } from "../told/log.ts";
import { engineTools } from "./tools.ts";

/** How far back to look for errors in the log, in ms. */
const RECENT_MS = 86_400_000;

/** Runs every check and prints each finding as soon as it is known. Returns the exit code. */
export async function examine(
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

function checksFor(runtime: Runtime): Check[] {
  const { host, paths, project } = runtime;
  const context = settingsContext(runtime);
  const hooks = () => hooksState(project, context);
  const { directory } = memoryPlace(paths, project.root);
  const logDirectory = join(directory, "log");
  const plugin = pluginDirectory(paths.claudeDir);
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
    ...pluginChecks({
      isOutdated: () => isOutdated(plugin, renewedFiles(plugin, installedProgram(host))),
      isInstalled: () => pluginState(plugin) === "installed",
      renew: () => void renewPlugin(plugin, renewedFiles(plugin, installedProgram(host))),
    }),
    ...hooksChecks({ hooks, rewrite: (scope) => rewriteHooks(scope, project, context) }),
    ...agentChecks({
      agents: () => agentTargets(host).map((target) => agentState(target, context)),
      rewrite: (id) => {
        const targets = agentTargets(host).filter((target) => target.id === id);
        installForAgents(targets, project.root, context, host.now());
      },
    }),
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
    ...configChecks({ problems: () => configProblems(runtime), refused: host.refused ?? [] }),
    ...relatedChecks({ related: () => relatedStates(runtime) }),
    ...promotedChecks({
      standing: standing(directory, project.worktreeRoot),
      orphaned: (lines) => orphaned(lines, runtime),
    }),
    ...(hasTeams(paths.configDir) ? teamChecks({ team: () => teamState(runtime) }) : []),
    ...(hasFolders(paths.configDir) ? folderChecks({ folder: () => folderFound(runtime) }) : []),
    ...engineChecks(engineTools(runtime)),
  ];
}

async function orphaned(lines: readonly Promotion[], runtime: Runtime): Promise<Promotion[]> {
  await using store = await runtime.openStore("readonly");
  const turns = await store.search.turns(lines.map(({ turnId }) => turnId));
  return lines.filter((line) => !turns.some((turn) => isOf(line, turn)));
}

async function teamState(runtime: Runtime) {
  if ((await teamOf(runtime)) === null) return null;
  await using store = await runtime.openStore("readonly");
  const membership = await store.team.membership();
  if (membership === null) return null;
  const state = syncState(await store.team.lastSync());
  return { project: membership.project, problem: state?.problem ?? null };
}

async function folderFound(runtime: Runtime) {
  const apart = await apartFrom(runtime);
  if (apart !== null) return { directory: apart.directory, problem: null, troubled: [], apart: apart.name };
  if ((await folderOf(runtime)) === null) return null;
  await using store = await runtime.openStore("readonly");
  const seen = await folderSeen(store, runtime);
  if (seen === null) return null;
  const { directory, devices, lastSync } = seen;
  const troubled = devices.filter(({ problem, unaware }) => problem !== null || unaware > 0);
  return {
    directory,
    problem: syncState(lastSync)?.problem ?? null,
    troubled: troubled.map(({ name }) => name),
    apart: null,
  };
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
