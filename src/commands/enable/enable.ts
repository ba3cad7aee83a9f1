import { describeTaking, removeTaken } from "../../project/adopt.ts";
import { type Adoptable, findAdoptable } from "../../project/adoptable.ts";
import { type EnableResult, enableProject } from "../../project/enable.ts";
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
import { INTERRUPTED } from "../shared/interrupted.ts";
import { settingsContext } from "../shared/settings-context.ts";
import { warmUp } from "../shared/warm-up.ts";
import { enableAgents, readAgents } from "./agents.ts";
import { findHistory, importHistory, wantsHistory } from "./history.ts";
import { proveRecall, type Recall } from "./proof.ts";

export interface EnableOptions {
  for: string | undefined;
  mcp: boolean;
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
  { scope, for: agents, mcp, adopt, history, json }: EnableOptions,
  given: Runtime,
): Promise<number> {
  const { host, project } = given;
  const named = agents === undefined ? null : readAgents(agents);
  const style = styleFor(host.stdout, host.env);
  const isOnPath = mementorOnPath(host.env.PATH ?? "", host.platform) !== null;
  const context = settingsContext(given);
  const chosen = scope ?? chooseScope(hooksState(project, context), isOnPath);
  installProgram(host);
  const adoptable = adopt ? await foundToAdopt(given) : null;
  const taken = adoptable && describeTaking(context, adoptable);
  if (taken && !json) host.stdout.write(renderTaking(taken));
  const result = enableProject({ ...context, project, scope: chosen, adopt, now: host.now() });
  if (!json) host.stdout.write(renderEnable(result, style));
  const runtime = given.renewed();
  const { agents: others, servers, declined } = await enableOthers(named, { mcp, json }, runtime);
  const problem = await prepared(runtime, json);
  const historyRead =
    result.memory === "none" ? null : await readHistory(runtime, { result, adopt, history, json });
  if (adoptable) removeTaken(adoptable);
  if (json)
    host.stdout.write(
      renderResult({
        ...result,
        agents: others,
        mcp: servers,
        declined: declined.map(({ id }) => id),
        taken,
        withoutVectors: problem,
        ...jsonOf(historyRead),
      }),
    );
  else host.stdout.write(renderEnabled({ ...historyRead, problem }, style, host.now()));
  return historyRead?.interrupted ? INTERRUPTED : 0;
}

/** Installs the hooks and the MCP server of other agents, and says what was done. */
async function enableOthers(
  named: ReturnType<typeof readAgents> | null,
  { mcp, json }: Pick<EnableOptions, "mcp" | "json">,
  runtime: Runtime,
) {
  const { host } = runtime;
  const asks = !json && host.stdin.isTerminal && host.stderr.isTerminal;
  const done = await enableAgents(named, { mcp, asks }, runtime);
  const facts: [string, string[]][] = [
    ["Agents", [...agentLines(done.agents), ...declinedLines(done.declined)]],
    ["MCP", mcpLines(done.servers)],
  ];
  if (!json) host.stdout.write(renderFacts(facts));
  return done;
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

interface HistoryRequest {
  result: EnableResult;
  adopt: boolean;
  history: boolean | undefined;
  json: boolean;
}

async function readHistory(runtime: Runtime, { result, adopt, history: option, json }: HistoryRequest) {
  const store = await runtime.openStore("create", { adopt: adopt || result.memory === "adopted" });
  try {
    const history = await findHistory(runtime);
    const wanted =
      json && option === undefined
        ? history.sessions.length > 0
        : await wantsHistory(history, option, runtime);
    const sessions = Object.values(history.counts).reduce((sum, count) => sum + count, 0);
    const found = { sessions, agents: history.counts, bytes: history.bytes };
    if (!wanted) return { found, report: null, interrupted: false, recalls: [] };
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
