import { describeTaking, removeTaken } from "../../project/adopt.ts";
import { type Adoptable, findAdoptable } from "../../project/adoptable.ts";
import { type EnableRequest, type EnableResult, enableProject } from "../../project/enable.ts";
import type { HookScope } from "../../project/hook-entries.ts";
import { hooksState } from "../../project/hooks-state.ts";
import { installProgram } from "../../project/install-program.ts";
import { mementorOnPath } from "../../project/on-path.ts";
import { readRegistry } from "../../project/registry.ts";
import { chooseScope } from "../../project/scope.ts";
import { agentLines, declinedLines, mcpLines } from "../../render/agents.ts";
import { renderEnable, renderEnabled, renderTaking } from "../../render/enable.ts";
import { overwriteLine } from "../../render/progress.ts";
import { renderResult } from "../../render/result.ts";
import { hitJson } from "../../render/search.ts";
import { styleFor } from "../../render/style.ts";
import { renderFacts } from "../../render/table.ts";
import type { Runtime } from "../../runtime.ts";
import { declined } from "../shared/confirm.ts";
import { INTERRUPTED } from "../shared/interrupted.ts";
import { settingsContext } from "../shared/settings-context.ts";
import { warmUp } from "../shared/warm-up.ts";
import { installChosen, type OtherAgents, readAgents } from "./agents.ts";
import { importHistory } from "./history.ts";
import { type EnablePlan, planEnable } from "./plan.ts";
import { proveRecall, type Recall } from "./proof.ts";

export interface EnableOptions {
  for: string | undefined;
  mcp: boolean;
  opencodePlugin: boolean;
  scope: HookScope | undefined;
  history: boolean | undefined;
  adopt: boolean;
  json: boolean;
}

/**
 * Creates the memory, installs the hooks, and reads the history on disk if the user wants that. Returns the exit
 * code.
 */
export async function enable(
  { scope, for: agents, mcp, opencodePlugin: plugin, adopt, history, json }: EnableOptions,
  given: Runtime,
): Promise<number> {
  const { host, project } = given;
  const named = agents === undefined ? null : readAgents(agents);
  const style = styleFor(host.stdout, host.env);
  const isOnPath = mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
  const context = settingsContext(given);
  const chosen = scope ?? chooseScope(hooksState(project, context), isOnPath, context.shell);
  const adoptable = adopt ? await foundToAdopt(given) : null;
  const taken = adoptable && describeTaking(context, adoptable);
  if (taken && !json) host.stdout.write(renderTaking(taken));
  const request = { ...context, project, scope: chosen, adopt, now: host.now() };
  const plan = await planEnable(request, { named, mcp, plugin, history, json }, given);
  if (plan === null) return declined(host, "Nothing was changed.");
  installProgram(host);
  const result = enableProject(request);
  if (!json) host.stdout.write(renderEnable(result, style));
  const runtime = given.renewed();
  const others = await installChosen(plan.agents, runtime);
  if (!json) host.stdout.write(renderFacts(othersFacts(others)));
  const problem = await prepared(runtime, json);
  const historyRead = result.memory === "none" ? null : await readHistory(runtime, plan, request, result);
  if (adoptable) removeTaken(adoptable);
  if (json)
    host.stdout.write(
      renderResult({
        ...result,
        agents: others.agents,
        mcp: others.servers,
        declined: others.declined.map(({ id }) => id),
        taken,
        withoutVectors: problem,
        ...jsonOf(historyRead),
      }),
    );
  else host.stdout.write(renderEnabled({ ...historyRead, problem }, style, host.now()));
  return historyRead?.interrupted ? INTERRUPTED : 0;
}

function othersFacts({ agents, servers, declined }: OtherAgents): [string, string[]][] {
  return [
    ["Agents", [...agentLines(agents), ...declinedLines(declined)]],
    ["MCP", mcpLines(servers)],
  ];
}

async function foundToAdopt(runtime: Runtime): Promise<Adoptable | null> {
  if ((await runtime.origin()) !== "foreign") return null;
  const { paths, project } = runtime;
  return findAdoptable(paths, readRegistry(paths.configDir), project.root);
}

async function prepared(runtime: Runtime, json: boolean): Promise<string | null> {
  const { stderr } = runtime.host;
  const showsProgress = stderr.isTerminal && !json;
  if (showsProgress) stderr.write("Unpacking the model ...");
  const problem = await warmUp(runtime);
  if (showsProgress) stderr.write(overwriteLine(""));
  return problem;
}

async function readHistory(
  runtime: Runtime,
  { history, reads }: EnablePlan,
  { adopt }: EnableRequest,
  { memory }: EnableResult,
) {
  const store = await runtime.openStore("create", { adopt: adopt || memory === "adopted" });
  try {
    const sessions = Object.values(history.counts).reduce((sum, count) => sum + count, 0);
    const found = { sessions, agents: history.counts, bytes: history.bytes };
    if (!reads) return { found, report: null, interrupted: false, recalls: [] };
    const { report, interrupted } = await importHistory(history, store, runtime);
    const recalls: Recall[] = interrupted ? [] : await proveRecall(store);
    return { found, report, interrupted, recalls };
  } finally {
    await store.close();
  }
}

function jsonOf(historyRead: Awaited<ReturnType<typeof readHistory>> | null) {
  if (historyRead === null) return { history: null, recalls: [] };
  const { found, report, interrupted, recalls } = historyRead;
  return {
    history: { ...found, read: report, interrupted },
    recalls: recalls.map(({ query, hit }) => ({ query, ...hitJson(hit) })),
  };
}
