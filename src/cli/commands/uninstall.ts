import { statIfExists } from "../../io/read.ts";
import { SYSTEM } from "../../io/system.ts";
import { readRegistry, registryPath } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";
import type { DisableProblem } from "../../setup/disable.ts";
import { installedProgram, mementorOnPath } from "../../setup/program/install-program.ts";
import { findInstallation, type Installation, linkToProgram } from "../../setup/program/installation.ts";
import { printable } from "../../text/invisible.ts";
import { defineCommand } from "../command-line/command.ts";
import { consentOptions, flag, type OptionValues } from "../command-line/option.ts";
import { confirm, declined } from "../terminal/ask.ts";
import { renderBytes, renderFacts } from "../terminal/table.ts";
import { printResult } from "../terminal/view.ts";

const options = { purge: flag("Also delete the memories and mementor's settings"), ...consentOptions };

export const command = defineCommand({
  name: "uninstall",
  help: { group: "Set up", position: 6 },
  summary: "Remove mementor from all projects and from this machine; the memories stay",
  arguments: {},
  options,
  examples: ["mementor uninstall --dry-run", "mementor uninstall", "mementor uninstall --purge --yes"],
  run: ({ options: typed }, runtime) => uninstall(typed, runtime),
});

/** Removes everything that mementor put on this machine; with `purge`, also its memories and settings. */
async function uninstall(
  { purge, dryRun, yes, json }: OptionValues<typeof options>,
  runtime: Runtime,
): Promise<number> {
  const work = await import("./uninstall/remove.ts");
  const { host, paths } = runtime;
  const { shown, roots } = await planOf(runtime, purge, work);
  const { memories, leaving, agents } = shown;
  const hasPlugin = work.isPluginInstalled(runtime);
  if (dryRun) {
    return printResult(runtime, { json }, { ...shown, purge, done: false }, () =>
      renderUninstall({ ...shown, hasPlugin }, null, purge),
    );
  }
  if (purge && !yes) {
    if (!json) host.stdout.write(renderUninstall({ ...shown, hasPlugin }, null, purge));
    const hint = 'Say "--yes" to delete the memories too, or leave "--purge" out.';
    if (!(await confirm(host, question(memories.length), hint)))
      return declined(host, "Nothing was removed.");
  }
  const { plugin, problems } = await work.disableEverywhere(runtime, roots, purge);
  const needed = [installedProgram(host), registryPath(paths.configDir)];
  const { going, kept } = work.withoutNeeded(leaving, problems.length > 0, needed);
  const removed = work.removePaths(going, host);
  const done = { plugin, problems: [...problems, ...kept, ...removed.problems] };
  const left = work.agentSettings(runtime);
  const isFailed = (path: string) => done.problems.some(({ place }) => place === path);
  const gone = {
    ...shown,
    hasPlugin: plugin === "removed",
    projects: shown.projects.filter(
      (root) => !done.problems.some(({ place }) => SYSTEM.isWithin(place, root)),
    ),
    leaving: leaving.filter((path) => !isFailed(path)),
    agents: {
      hooks: agents.hooks.filter(({ file }) => left.hooks.every((other) => other.file !== file)),
      servers: agents.servers.filter(({ file }) => left.servers.every((other) => other.file !== file)),
      leave: agents.leave.filter(
        ({ file, isOwn }) => !isOwn || left.leave.every((other) => other.file !== file),
      ),
    },
  };
  printResult(runtime, { json }, { ...shown, purge, ...done, done: true }, () =>
    renderUninstall(gone, done.problems, purge),
  );
  return done.problems.length > 0 ? 1 : 0;
}

function question(count: number): string {
  return `Delete ${count === 1 ? "1 memory" : `${count} memories`} for good?`;
}

/** Looks for what an uninstallation takes out and leaves, and for the roots of the projects that may hold hooks. */
async function planOf(runtime: Runtime, purge: boolean, work: typeof import("./uninstall/remove.ts")) {
  const { host, paths } = runtime;
  const { projects, allProjects } = readRegistry(paths.configDir);
  const onPath = mementorOnPath(host.env.PATH ?? "", host.platform);
  const installation = findInstallation({ ...host, onPath });
  const { roots, lost } = await work.findProjects(runtime);
  const shown = {
    projects: work.rootsWithHooks(runtime, roots),
    lost,
    agents: work.agentSettings(runtime),
    allProjects,
    memories: work.memoriesOf(paths.dataDir, projects),
    leaving: await work.leavingPaths(runtime, { purge, installation }),
    installation,
    settings: statIfExists(paths.configDir) === null ? null : paths.configDir,
    folders: await work.syncFolders(paths.configDir),
    ignored: isThere(paths.ignoredDataDir) ? paths.ignoredDataDir : null,
    link: linkToProgram(host.homeDir, installation),
  };
  return { shown, roots };
}

type Uninstallation = Awaited<ReturnType<typeof planOf>>["shown"] & { hasPlugin: boolean };

/** Renders what an uninstallation did or, if `problems` is null, what it would do. */
export function renderUninstall(
  plan: Uninstallation,
  problems: readonly DisableProblem[] | null,
  purge: boolean,
): string {
  const { memories, lost, leaving, installation, settings } = plan;
  const verbs = problems === null ? WOULD : DONE;
  return renderFacts([
    [
      problems === null ? "Would" : "Done",
      [
        ...hookLines(plan).map((line) => `${verbs.takeOut} ${line}`),
        ...leaving.map((path) => `${verbs.remove} ${printable(path)}`),
        ...memories.map((memory) => `${purge ? verbs.delete : verbs.keep} ${memoryLine(memory)}`),
        ...(purge || settings === null
          ? []
          : [`${verbs.keep} the settings of mementor: ${printable(settings)}`]),
      ],
    ],
    ["Program", [...programLines(installation, leaving), ...linkLines(plan)]],
    ["Problem", (problems ?? []).map(({ place, problem }) => `${printable(place)}: ${printable(problem)}`)],
    [
      "Note",
      [
        ...lost.map(
          (root) =>
            `${printable(root)} is gone. If you moved it, its settings still hold the hooks: run "mementor disable" there.`,
        ),
        ...plan.agents.leave
          .filter(({ isOwn }) => !isOwn)
          .map(({ file }) => `${printable(file)} stays: its content is not mementor's.`),
        ...(purge || (memories.length === 0 && settings === null)
          ? []
          : [`"mementor uninstall --purge" deletes the memories and their settings, too.`]),
        ...(plan.ignored === null ? [] : [ignoredLine(plan.ignored)]),
        ...(purge ? plan.folders.map((folder) => folderLine(folder, problems !== null)) : []),
      ],
    ],
  ]);
}

const WOULD = { takeOut: "take", remove: "remove", keep: "keep", delete: "delete" };
const DONE: typeof WOULD = { takeOut: "took", remove: "removed", keep: "kept", delete: "deleted" };

/** Returns the parts to take out of settings, with their places. */
function hookLines({ projects, allProjects, agents, hasPlugin }: Uninstallation): string[] {
  const own = allProjects ? ["your own settings of Claude Code"] : [];
  const places = [...projects.map(printable), ...own];
  const inAgent = ({ name, file }: { name: string; file: string }) => `out of ${name}: ${printable(file)}`;
  return [
    ...places.map((place) => `the hooks out of ${place}`),
    ...agents.hooks.map((agent) => `the hooks ${inAgent(agent)}`),
    ...agents.servers.map((agent) => `the MCP server ${inAgent(agent)}`),
    ...agents.leave.filter(({ isOwn }) => isOwn).map((agent) => `the permission to ask ${inAgent(agent)}`),
    ...(hasPlugin ? ["the plugin out of Claude Code"] : []),
  ];
}

function memoryLine({ root, directory, bytes }: Uninstallation["memories"][number]): string {
  return `the memory of ${printable(root)}: ${printable(directory)} (${renderBytes(bytes)})`;
}

function isThere(directory: string | null): boolean {
  return directory !== null && statIfExists(directory) !== null;
}

function ignoredLine(directory: string): string {
  return `${printable(directory)} stays: variables name it, but your memories were made elsewhere. Delete it yourself if it is yours.`;
}

/** Says that a sync folder keeps its files, which cannot be read without the key. */
function folderLine(folder: string, isDone: boolean): string {
  const stays = `${printable(folder)} keeps what was synced, encrypted.`;
  return isDone
    ? `${stays} Delete it yourself if no other device needs it.`
    : `${stays} The key goes: to read it again, note the words of "mementor sync code" first.`;
}

function programLines({ method, program, uninstall }: Installation, leaving: readonly string[]): string[] {
  if (method === "source") return ["delete the checkout of its sources yourself"];
  if (uninstall !== null) return [`remove it with: ${printable(uninstall)}`];
  return leaving.includes(program) ? [] : [`delete ${printable(program)} yourself`];
}

/** Returns advice to delete a link, unless a package manager removes it. */
function linkLines({ link, installation: { uninstall }, leaving }: Uninstallation): string[] {
  return link === null || uninstall !== null || leaving.includes(link)
    ? []
    : [`delete the link ${printable(link)} yourself`];
}
