import { type ConfigProblem, exclusionProblem } from "../../../config/config.ts";
import { statIfExists } from "../../../io/read.ts";
import { activePromotions, isPromotionOf, type Promotion } from "../../../project/promote.ts";
import { memoryPlace } from "../../../project/trust.ts";
import { relatedStates } from "../../../recall/across/related.ts";
import type { Runtime } from "../../../runtime.ts";
import { agentState, installForAgents } from "../../../setup/hooks/install.ts";
import { agentTargets } from "../../../setup/hooks/targets.ts";
import { pluginDirectory, pluginState } from "../../../setup/plugin/directory.ts";
import { isOutdated, renewedFiles, renewPlugin } from "../../../setup/plugin/plugin.ts";
import { installedProgram } from "../../../setup/program/install-program.ts";
import { parseSyncState } from "../../../sync/backoff.ts";
import { hasFolders } from "../../../sync/folder/settings.ts";
import { hasTeams } from "../../../sync/team/settings.ts";
import { shWord } from "../../../text/lines.ts";
import type { UserPaths } from "../../../user-paths.ts";
import { configProblems } from "../../config-problems.ts";
import { separateFolder } from "../../project-name.ts";
import { settingsContext } from "../../settings-context.ts";
import { folderSeen, memoryFolder } from "../../sync/folder.ts";
import { memoryTeam } from "../../sync/team.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

/** Returns the checks of the settings, and of the connections to other projects, the team and the user's devices. */
export function checksOfOthers(runtime: Runtime): Check[] {
  const { host, paths, project } = runtime;
  const refused = host.refused ?? [];
  const promoted = activePromotions(memoryPlace(paths, project.root).directory, project.worktreeRoot);
  return [
    { name: "config", run: () => checkConfig(runtime) },
    ...(refused.length > 0 ? [{ name: "variables", run: () => checkVariables(refused) }] : []),
    ...(paths.ignoredDataDir === null ? [] : [{ name: "data", run: () => checkDataDir(paths) }]),
    { name: "related", run: () => checkRelated(runtime) },
    ...(promoted.length > 0 ? [{ name: "promoted", run: () => checkPromoted(promoted, runtime) }] : []),
    ...(hasTeams(paths.configDir) ? [{ name: "team", run: () => checkTeam(runtime) }] : []),
    ...(hasFolders(paths.configDir) ? [{ name: "folder", run: () => checkFolder(runtime) }] : []),
  ];
}

/** Checks that an installed plugin is of this version. */
export function checkPlugin({ host, paths }: Runtime): Finding {
  const directory = pluginDirectory(paths.claudeDir);
  const files = renewedFiles(directory, installedProgram(host));
  if (isOutdated(directory, files))
    return warning(
      "The plugin of Claude Code is from another version, which may allow agents more than this one.",
      'Run "mementor doctor --fix", or "mementor plugin install".',
      () => void renewPlugin(directory, files),
    );
  const isInstalled = pluginState(directory) === "installed";
  return ok(`The plugin of Claude Code is ${isInstalled ? "up to date" : "not installed"}.`);
}

/** Checks the hooks in the settings of other agents: that they can be read, are of this version, and may run. */
export function checkAgents(runtime: Runtime): Finding {
  const { host, project } = runtime;
  const context = settingsContext(runtime);
  const agents = agentTargets(host).map((target) => agentState(target, context));
  const broken = agents.find(({ problem }) => problem !== null);
  if (broken?.problem) return warning(broken.problem, `Correct the file; ${broken.name} reads it too.`);
  const installed = agents.filter(({ events }) => events.length > 0);
  const stale = installed.find((state) => state.stale.length > 0);
  if (stale)
    return warning(
      `The hooks in ${stale.file} are not of this version: ${stale.stale.join(", ")}.`,
      `Run "mementor enable --for ${stale.id}".`,
      () => {
        const targets = agentTargets(host).filter(({ id }) => id === stale.id);
        installForAgents(targets, project.root, context, host.now());
      },
    );
  const waiting = installed.find(({ untrusted }) => untrusted > 0);
  if (waiting)
    return warning(
      `${waiting.name} skips ${waiting.untrusted} of the hooks in ${waiting.file}: they are not trusted.`,
      `Type "/hooks" in ${waiting.name} and trust them.`,
    );
  const names = installed.map(({ name }) => name).join(", ");
  return ok(names === "" ? "No other agent has hooks." : `Hooks of other agents are up to date: ${names}.`);
}

/** Checks that every configured setting can be used. */
async function checkConfig(runtime: Runtime): Promise<Finding> {
  const problems = await configProblems(runtime);
  const unknown = exclusionProblem({ problems });
  if (unknown !== null)
    return failure(
      `Nothing new is read, because your exclusions cannot be read: ${wordsOf(unknown)}.`,
      "Correct the settings. Waiting transcripts are read then.",
    );
  const [first] = problems;
  if (!first) return ok("The configuration has no mistakes.");
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  return warning(`A setting is ignored: ${wordsOf(first)}${more}.`, 'See "mementor config", and correct it.');
}

function wordsOf({ where, key, message }: ConfigProblem): string {
  return [where, key, message].filter((part) => part !== "").join(": ");
}

/** Reports the variables that are ignored because they point to files that may have come with the project. */
function checkVariables(refused: readonly string[]): Finding {
  const [lead, count] = refused.length === 1 ? ["leads", "does"] : ["lead", "do"];
  return warning(
    `${refused.join(", ")} ${lead} into this project or to files that may have come with it, and ${count} not count.`,
    "The project may have set this, for example in .claude/settings.json. Files there may not be yours: check them before you set such a variable yourself. If you created files beside the project, run `mementor enable -C` with its path in the root directory to use them again. A home directory of another user counts never: leave -E out of sudo.",
  );
}

/** Reports the data directory that variables name but that is ignored, because the memories are in another one. */
function checkDataDir({ dataDir, ignoredDataDir: ignored }: UserPaths): Finding {
  const isThere = ignored !== null && statIfExists(ignored) !== null;
  const move = isThere
    ? `Where ${ignored} has a memory that ${dataDir} has not, "mementor enable" in its project takes it along.`
    : `To move your memories, move ${dataDir} to ${ignored}, then run "mementor enable" in one of your projects.`;
  return warning(
    `Variables set ${ignored} as the directory of your memories, which are in ${dataDir} and are used there.`,
    `If you did not set XDG_DATA_HOME, the project may have. ${move}`,
  );
}

/** Checks that the memories of related projects can be read. */
async function checkRelated(runtime: Runtime): Promise<Finding> {
  const states = await relatedStates(runtime);
  const wrong = states.filter(({ problem }) => problem !== null);
  const named = states.map(({ path }) => path).join(", ");
  if (wrong.length === 0)
    return ok(
      named === "" ? "No other projects are related to this one." : `Prompts also recall from ${named}.`,
    );
  const missing = wrong.filter(({ isMissing }) => isMissing).length;
  const advice = [
    missing > 0 &&
      'Correct the path that does not exist: "mementor config" shows which file sets "recall.related".',
    missing < wrong.length && 'Run "mementor doctor" in the project, or take it out of "recall.related".',
  ];
  return warning(
    `Related projects that hooks cannot use: ${wrong.map(({ path, problem }) => `${path} (${problem})`).join(", ")}.`,
    advice.filter(Boolean).join(" "),
  );
}

/**
 * Lists promoted lines whose turn is gone. `forget` removes a line on the machine where it runs, but not on others that share the
 * memory. This is not a fault: a useful line may outlive its pruned turn.
 */
async function checkPromoted(lines: readonly Promotion[], runtime: Runtime): Promise<Finding> {
  await using store = await runtime.openStore("readonly");
  const turns = await store.search.turns(lines.map(({ turnId }) => turnId));
  const gone = lines.filter((line) => !turns.some((turn) => isPromotionOf(line, turn)));
  if (gone.length === 0) return ok("The turns of all promoted lines are still in the memory.");
  const named = gone.map(({ turnId, name }) => `turn ${turnId} in ${name}`).join(", ");
  return ok(
    `Promoted lines of turns that were pruned, or forgotten on another machine: ${named}. "mementor note TURN --undo" removes a line.`,
  );
}

/** Checks that the memory is in step with its team. */
async function checkTeam(runtime: Runtime): Promise<Finding> {
  const none = ok("The memory belongs to no team.");
  if ((await memoryTeam(runtime)) === null) return none;
  await using store = await runtime.openStore("readonly");
  const membership = await store.team.membership();
  if (membership === null) return none;
  const problem = parseSyncState(await store.team.lastSync())?.problem ?? null;
  if (problem === null) return ok(`The memory is in step with the team "${membership.project}".`);
  return warning(
    `Not synced with the team "${membership.project}": ${problem.message}.`,
    problem.hint ?? "It will be retried automatically; to retry now: mementor team sync",
  );
}

/** Checks that the memory is in step with the user's other devices. */
async function checkFolder(runtime: Runtime): Promise<Finding> {
  const none = ok("The memory syncs through no folder.");
  const apart = await separateFolder(runtime);
  if (apart !== null)
    return warning(
      `The memory stays out of ${apart.directory}: only the project's own files claim that it is ${apart.name}.`,
      `If it is: mementor sync ${shWord(apart.directory)}`,
    );
  if ((await memoryFolder(runtime)) === null) return none;
  await using store = await runtime.openStore("readonly");
  const seen = await folderSeen(store, runtime);
  if (seen === null) return none;
  const { directory, devices, lastSync } = seen;
  const problem = parseSyncState(lastSync)?.problem ?? null;
  if (problem !== null)
    return warning(
      `Not synced through ${directory}: ${problem.message}.`,
      [problem.hint, "It will be retried automatically; to retry now: mementor sync now"]
        .filter(Boolean)
        .join(" "),
    );
  const troubled = devices.filter((device) => device.problem !== null || device.unaware > 0);
  if (troubled.length === 0) return ok(`The memory is in step with your devices through ${directory}.`);
  return warning(
    `Something is wrong with ${troubled.map(({ name }) => name).join(", ")} in ${directory}.`,
    "See: mementor sync status",
  );
}
