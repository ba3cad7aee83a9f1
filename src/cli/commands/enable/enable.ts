import { isTracked } from "../../../io/git/project.ts";
import { type AdoptRequest, deleteAdopted, describeTaking } from "../../../project/adopt.ts";
import { type Adoptable, findAdoptable } from "../../../project/adoptable.ts";
import { startWorker } from "../../../project/queue.ts";
import { memoryRefusal, notTaken, requireProjectDirectory } from "../../../project/refusal.ts";
import { readRegistry } from "../../../project/registry.ts";
import { confirmName } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { type EnableRequest, enableProject } from "../../../setup/enable.ts";
import { pluginDirectory } from "../../../setup/plugin/directory.ts";
import { pluginFiles, renewPlugin } from "../../../setup/plugin/plugin.ts";
import { supportsLaterEvents } from "../../../setup/program/claude-version.ts";
import { installedProgram, installProgram } from "../../../setup/program/install-program.ts";
import type { HookScope } from "../../../setup/settings/hook-entries.ts";
import { chooseScope, hooksProblems, readHooksState } from "../../../setup/settings/hooks-state.ts";
import {
  type PermissionRules,
  permissionFiles,
  permissionRules,
} from "../../../setup/settings/permission.ts";
import { movedRoot, type SettingsContext } from "../../../setup/settings/settings-places.ts";
import { printable } from "../../../text/invisible.ts";
import { requirePerson } from "../../person.ts";
import { askName, declineFolder, type NameConfirmation, separateFolder } from "../../project-name.ts";
import { settingsContext } from "../../settings-context.ts";
import { memoryFolder } from "../../sync/folder.ts";
import { askUser, canAsk, declined, INTERRUPTED } from "../../terminal/ask.ts";
import { overwriteLine } from "../../terminal/progress.ts";
import { styleFor } from "../../terminal/screen.ts";
import { renderFacts } from "../../terminal/table.ts";
import { renderResult, screenOf } from "../../terminal/view.ts";
import { warmUp } from "../../warm-up.ts";
import { agentLines, declinedLines, mcpLines, untrustedAgents } from "./agent-lines.ts";
import { installChosen, type OtherAgents, readAgents } from "./agents.ts";
import { historyJson, readHistory } from "./history.ts";
import type { EnableOptions } from "./options.ts";
import {
  findOtherHistories,
  historiesJson,
  type OtherHistories,
  renderOtherHistories,
} from "./other-histories.ts";
import { asksForProject, type EnablePlan, planEnable } from "./plan.ts";
import {
  renderEnable,
  renderEnabled,
  renderPlannedReading,
  renderRefusal,
  renderStopped,
  renderTaking,
} from "./text.ts";
import { renderPlannedQuestion, renderPlannedWrites } from "./writes.ts";

/**
 * Creates the memory, installs the hooks, and reads the history on disk if the user wants that. Returns the exit
 * code.
 */
export async function enable(options: EnableOptions, given: Runtime): Promise<number> {
  const { host, project } = given;
  const { json } = options;
  const prepared = await prepare(options, given);
  if (prepared === null) return declined(host, "Nothing was changed.");
  if (!options.dryRun) return carryOut(prepared, json, given);
  const { request, plan, taken, refusal, histories } = prepared;
  const { writes } = plan;
  const isAsked = !options.yes && canAsk(host);
  const asks = options.history === undefined && isAsked;
  const first = isAsked && (await asksForProject(request, given)) ? renderPlannedQuestion() : "";
  const unread = plan.reads === "no" ? null : plan.unread;
  const reads = unread === null ? "" : renderPlannedReading(unread, asks ? "asked" : plan.reads);
  const found = { root: project.root, taken, refusal, histories: historiesJson(histories) };
  const preview = { ...found, writes, reads: unread, changed: false };
  host.stdout.write(
    json ? renderResult(preview) : `${first}${renderPlannedWrites(writes)}${reads}Nothing was changed.\n`,
  );
  return 0;
}

/** What is going to be done, after all questions. */
interface Prepared {
  request: EnableRequest;
  plan: EnablePlan;
  /** What the project adopts by its pointer or from its tree, and what that holds. */
  adoptable: Adoptable | null;
  taken: AdoptRequest | null;
  /** Why the project would not be enabled without `--adopt`; only for a dry run. */
  refusal: MovedRefusal | null;
  histories: OtherHistories;
  /** What the project is called where the user's memories sync through a folder; null where there is no such question. */
  naming: NameConfirmation | null;
}

interface MovedRefusal {
  message: string;
  hint: string;
  formerRoot: string;
}

/** Looks for what can be adopted, says what was found and what will be written, and asks. Null when the person quits. */
async function prepare(typed: EnableOptions, given: Runtime): Promise<Prepared | null> {
  const { for: agents, mcp, opencodePlugin: plugin, history, yes, json, dryRun } = typed;
  const { host, project } = given;
  if (typed.scope !== "user") requireProjectDirectory(project, host.homeDir);
  const say = (text: string) => json || host.stdout.write(text);
  const named = readAgents(agents);
  const options = await askToAdopt(given, typed);
  if (options === null) return null;
  const context = { ...settingsContext(given), takesLater: await supportsLaterEvents(host) };
  const scope = options.scope ?? chooseScope(readHooksState(project, context));
  const adoptable = await foundToAdopt(given, options);
  const refusal = dryRun && adoptable === null ? movedRefusal(given) : null;
  if (refusal) say(renderRefusal(refusal));
  const taken = adoptable && describeTaking(adoptable);
  if (taken) say(renderTaking(taken));
  const asks = mayAsk(options, given);
  const wanted = { all: options.adoptHistory, asks, yes, from: options.adoptFrom, adopted: adoptable };
  const histories = await findOtherHistories(given, wanted);
  if (histories === null) return null;
  await requireVouching(options, given);
  const formerRoot = taken?.formerRoot ?? refusal?.formerRoot ?? null;
  say(renderOtherHistories(histories, formerRoot, options.adoptHistory));
  const request: EnableRequest = {
    ...context,
    project,
    scope,
    leave: await chosenPermission(given, { ...context, scope }, options),
    now: host.now(),
    adopt: options.adopt || adoptable !== null || refusal !== null,
    repository: histories.repository,
    from: { adoptable: histories.adoptable, formerRoots: formerRootsIn(histories) },
  };
  const others = [...histories.taken, ...rootBefore(adoptable)];
  const wishes = { named, mcp, plugin, history, yes, json, dryRun, taken: others };
  const plan = await planEnable(request, wishes, given);
  const naming = asks && plan !== null && (await separateFolder(given)) ? await askName(given, false) : null;
  if (naming?.decision === "quit") return null;
  return plan && { request, plan, adoptable, taken, refusal, histories, naming };
}

/** Requires a person for an adoption, because hooks then show its turns as the user's own. */
async function requireVouching({ adopt, adoptFrom, dryRun }: EnableOptions, given: Runtime): Promise<void> {
  if (dryRun || (!adopt && adoptFrom === undefined)) return;
  const option = adoptFrom === undefined ? "--adopt" : `--adopt-from ${adoptFrom}`;
  await requirePerson(given, "What is adopted", `mementor enable ${option}`);
}

function mayAsk({ json, dryRun, yes }: EnableOptions, { host }: Runtime): boolean {
  return !json && !dryRun && !yes && canAsk(host);
}

async function carryOut(
  { request, plan, adoptable, taken, histories, naming }: Prepared,
  json: boolean,
  given: Runtime,
): Promise<number> {
  const { host } = given;
  const style = styleFor(host.stdout, host.env);
  installProgram(host);
  renewPlugin(
    pluginDirectory(given.paths.claudeDir),
    pluginFiles(installedProgram(host), request.takesLater),
  );
  const result = enableProject(request);
  const stopped = hooksProblems(readHooksState(request.project, request)).flatMap((problem) =>
    problem.what === "stopped" ? [problem.file] : [],
  );
  if (!json) host.stdout.write(renderEnable(result, style) + renderStopped(stopped, style));
  const runtime = given.renewed();
  const isApproved = request.leave.rules.length > 0;
  const others = installChosen(plan.agents, isApproved ? "grant" : "revoke", runtime);
  if (!json) host.stdout.write(renderFacts(othersFacts(others)));
  const problem = await prepareModel(runtime, json);
  const historyRead =
    result.memory === "none"
      ? null
      : await readHistory(plan, request.adopt || result.memory === "adopted", runtime);
  if (adoptable) deleteAdopted(adoptable);
  const report = {
    ...result,
    stoppedBy: stopped,
    agents: others.agents,
    mcp: others.servers,
    declined: others.declined.map(({ id }) => id),
    taken,
    histories: historiesJson(histories),
    withoutVectors: problem,
    ...historyJson(historyRead),
  };
  if (naming !== null && result.memory !== "none") await keepAnswer(naming, runtime);
  const apart = result.memory === "none" ? null : await separateFolder(runtime);
  // If the user syncs through a folder, other devices' turns of this project may be there already.
  const folder = result.memory === "none" ? null : ((await memoryFolder(runtime))?.directory ?? null);
  host.stdout.write(
    json
      ? renderResult(report)
      : renderEnabled(
          { ...historyRead, problem, folder, apart: apart && { root: result.root, ...apart } },
          untrustedAgents(others.agents),
          screenOf(given),
        ),
  );
  if (folder !== null) startWorker(host, runtime.project.root);
  return historyRead?.interrupted ? INTERRUPTED : 0;
}

/** Records what the user said of the project's name, now that the project is registered. */
async function keepAnswer({ name, decision }: NameConfirmation, runtime: Runtime): Promise<void> {
  if (decision === "yes" && name !== null) confirmName(runtime.paths, runtime.project.root, name);
  if (decision === "no") await declineFolder(runtime);
}

function othersFacts({ agents, servers, declined }: OtherAgents): [string, string[]][] {
  return [
    ["Agents", [...agentLines(agents), ...declinedLines(declined)]],
    ["MCP", mcpLines(servers)],
  ];
}

/** Returns the settings files that get permission rules. Skips tracked files, which other people share. */
async function chosenPermission(
  { host, project }: Runtime,
  context: SettingsContext & { scope: HookScope },
  { approve, mcp }: EnableOptions,
): Promise<PermissionRules> {
  const { scope } = context;
  const files: string[] = [];
  const tracked: string[] = [];
  for (const file of permissionFiles(scope, project, context)) {
    const isShared = scope !== "user" && (await isTracked(file, host.env));
    (isShared ? tracked : files).push(file);
  }
  return { rules: approve ? permissionRules(context, mcp) : [], files, tracked };
}

/** Returns the memory to adopt. Taking over a history is no consent to a database in the tree. */
async function foundToAdopt(
  runtime: Runtime,
  { adopt, adoptHistory, adoptFrom }: EnableOptions,
): Promise<Adoptable | null> {
  const takesHistory = adoptHistory || adoptFrom !== undefined;
  if ((!adopt && !takesHistory) || (await runtime.origin()) !== "foreign") return null;
  const { paths, project } = runtime;
  const found = findAdoptable(paths, readRegistry(paths.configDir), project.root);
  return adopt || found?.kind === "memory" ? found : null;
}

/**
 * Asks whether the project takes its memory along that lies in another directory than the user's others. Resolves to the options
 * with a yes, unchanged where there is no such memory or nobody to ask, and to null when the person does not want it.
 */
async function askToAdopt(runtime: Runtime, options: EnableOptions): Promise<EnableOptions | null> {
  const { paths, project, host } = runtime;
  if (options.adopt || !mayAsk(options, runtime) || (await runtime.origin()) !== "foreign") return options;
  const found = findAdoptable(paths, readRegistry(paths.configDir), project.root);
  if (found?.kind !== "elsewhere") return options;
  const question = `${printable(notTaken(found).message)}\nTake it along?`;
  return (await askUser(host, question, "yes")) === "yes" ? { ...options, adopt: true } : null;
}

/** Returns what `enable` says of a project that was moved and is not adopted; null for any other project. */
function movedRefusal({ paths, project }: Runtime): MovedRefusal | null {
  const formerRoot = movedRoot(paths, readRegistry(paths.configDir), project.root);
  const refusal = memoryRefusal(paths, project.root);
  if (formerRoot === null || refusal === null) return null;
  return { message: refusal.message, hint: refusal.hint ?? "", formerRoot };
}

function formerRootsIn({ taken }: OtherHistories): string[] {
  return taken.filter(({ isGone }) => isGone).map(({ root }) => root);
}

/** The root of a memory that the project adopts, whose sessions it takes along. */
function rootBefore(adoptable: Adoptable | null): { root: string }[] {
  if (adoptable?.kind !== "memory" || adoptable.formerRoot === null) return [];
  return [{ root: adoptable.formerRoot }];
}

async function prepareModel(runtime: Runtime, json: boolean): Promise<string | null> {
  const { stderr } = runtime.host;
  const showsProgress = stderr.isTerminal && !json;
  if (showsProgress) stderr.write("Unpacking the model ...");
  const problem = await warmUp(runtime);
  if (showsProgress) stderr.write(overwriteLine(""));
  return problem;
}
