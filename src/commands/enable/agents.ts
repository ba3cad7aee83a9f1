import { MementorError, toMementorError } from "../../errors.ts";
import { readIfExists } from "../../io/read.ts";
import { codexConfigFile } from "../../project/agent-hooks/codex-trust.ts";
import { decline, declinedIds, withdrawRefusal } from "../../project/agent-hooks/declined.ts";
import {
  type AgentChange,
  agentState,
  installForAgents,
  placeOf,
  untrustedOf,
} from "../../project/agent-hooks/install.ts";
import { type AgentTarget, agentTargets, HOOKED_AGENTS } from "../../project/agent-hooks/targets.ts";
import { hasServer, type McpChange, registerMcp } from "../../project/agent-mcp/install.ts";
import { MCP_AGENTS, type McpTarget, mcpTargets } from "../../project/agent-mcp/targets.ts";
import { installedProgram } from "../../project/install-program.ts";
import { programOnPath } from "../../project/on-path.ts";
import { rememberEdit } from "../../project/settings-file.ts";
import { renderAgentsQuestion, renderTrustFailure, renderTrustQuestion } from "../../render/agents.ts";
import type { Runtime } from "../../runtime.ts";
import { settingsContext } from "../shared/settings-context.ts";

/** The agents in `--for`; null without it. */
type Named = readonly string[] | "all" | null;

/** Other agents that get hooks or the MCP server in their settings. */
interface Chosen {
  hooks: AgentTarget[];
  servers: McpTarget[];
}

/** What was done for other agents. */
export interface OtherAgents {
  agents: AgentChange[];
  servers: McpChange[];
  /** Agents that are used here and that the user has refused, now or at an earlier `enable`. */
  declined: Pick<AgentTarget, "id" | "name">[];
}

/** Reads `--for`: `all`, `claude`, or ids separated by commas. Throws `usage` for an unknown agent. */
export function readAgents(typed: string): readonly string[] | "all" {
  const ids = typed
    .toLowerCase()
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.includes("all")) return "all";
  const others = ids.filter((id) => id !== "claude" && id !== "claude-code");
  const known = [...new Set([...HOOKED_AGENTS, ...MCP_AGENTS])];
  const unknown = others.find((id) => !known.includes(id));
  if (unknown === undefined) return others;
  throw new MementorError("usage", `mementor cannot be installed for "${unknown}".`, {
    hint: `The agents are claude, ${known.join(", ")}. "all" means those that are used on this machine.`,
  });
}

/**
 * Installs hooks for other agents, and the MCP server for those that have no hooks: for the named agents or, without names,
 * for those that already have them and those that the person at the terminal agrees to. With `mcp`, agents with hooks get
 * the server too. Remembers a refusal, and does not ask again until the agent is named. Asks whether Codex should trust
 * the hooks.
 */
export async function enableAgents(
  named: Named,
  { mcp, asks }: { mcp: boolean; asks: boolean },
  runtime: Runtime,
): Promise<OtherAgents> {
  const { host, project, paths } = runtime;
  const context = settingsContext(runtime);
  const chosen = named === null ? await offered({ mcp, asks }, runtime) : asNamed(named, mcp, runtime);
  const changes = installForAgents(chosen.hooks, project.root, context, host.now());
  const servers = registerMcp(chosen.servers, paths.configDir);
  const codex = chosen.hooks.find(({ id }) => id === "codex");
  if (codex && asks) await offerTrust(codex, runtime);
  const agents = changes.map((change) => ({ ...change, untrusted: untrustedOf(change, context).length }));
  return { agents, servers, declined: named === null ? declinedOf(runtime) : [] };
}

function asNamed(named: NonNullable<Named>, mcp: boolean, { host, paths }: Runtime): Chosen {
  const isNamed = ({ id, isPresent }: AgentTarget | McpTarget) =>
    named === "all" ? isPresent : named.includes(id);
  const hooks = agentTargets(host).filter(isNamed);
  const servers = mcpTargets(host, installedProgram(host)).filter(isNamed);
  withdrawRefusal(
    paths.configDir,
    [...hooks, ...servers].map(({ id }) => id),
  );
  return { hooks, servers: servers.filter((target) => mcp || takesNoHooks(target)) };
}

async function offered({ mcp, asks }: { mcp: boolean; asks: boolean }, runtime: Runtime): Promise<Chosen> {
  const { host, paths } = runtime;
  const context = settingsContext(runtime);
  const hooks = agentTargets(host);
  const servers = mcpTargets(host, installedProgram(host));
  const installed = hooks.filter((target) => agentState(target, context).events.length > 0);
  const given = mcp ? servers.filter(({ isPresent }) => isPresent) : [];
  const refused = declinedIds(paths.configDir);
  const isNew = ({ id, isPresent }: AgentTarget | McpTarget) => isPresent && !refused.includes(id);
  const fresh = {
    hooks: hooks.filter((target) => isNew(target) && !installed.includes(target)),
    servers: servers.filter((target) => isNew(target) && !given.includes(target) && isWaiting(target)),
  };
  const agrees = asks && (await agreesTo([...fresh.hooks, ...fresh.servers], runtime));
  return agrees
    ? { hooks: [...installed, ...fresh.hooks], servers: [...given, ...fresh.servers] }
    : { hooks: installed, servers: given };
}

/** Returns the agents that are used here, have nothing of mementor, and were refused. */
function declinedOf(runtime: Runtime): OtherAgents["declined"] {
  const { host, paths } = runtime;
  const context = settingsContext(runtime);
  const refused = declinedIds(paths.configDir);
  const hooks = agentTargets(host).filter(
    (target) => target.isPresent && agentState(target, context).events.length === 0,
  );
  const servers = mcpTargets(host, installedProgram(host)).filter(isWaiting);
  return [...hooks, ...servers]
    .filter(({ id }) => refused.includes(id))
    .map(({ id, name }) => ({ id, name }));
}

function takesNoHooks({ id }: McpTarget): boolean {
  return !HOOKED_AGENTS.includes(id);
}

/** Whether an agent without hooks is used here and does not have the server; false where its settings cannot be read. */
function isWaiting(target: McpTarget): boolean {
  try {
    return target.isPresent && takesNoHooks(target) && !hasServer(target);
  } catch {
    return false;
  }
}

async function agreesTo(
  agents: readonly { id: string; name: string }[],
  { host, paths }: Runtime,
): Promise<boolean> {
  if (agents.length === 0) return false;
  host.stderr.write(renderAgentsQuestion(agents.map(({ name }) => name)));
  const answer = await host.stdin.readLine();
  if (answer === null) return false;
  if (!/^\s*n/i.test(answer)) return true;
  decline(
    paths.configDir,
    agents.map(({ id }) => id),
  );
  return false;
}

/** Codex skips a hook without a message until its user trusts it. Offers to store the trust. */
async function offerTrust(codex: AgentTarget, runtime: Runtime): Promise<void> {
  const { host, project } = runtime;
  const context = settingsContext(runtime);
  const waiting = untrustedOf(codex, context);
  const program = programOnPath("codex", host.env.PATH ?? "", host.platform);
  if (waiting.length === 0 || program === null) return;
  host.stderr.write(renderTrustQuestion(waiting.length));
  const answer = await host.stdin.readLine();
  if (answer === null || !/^\s*y/i.test(answer)) return;
  const file = codexConfigFile(codex.file);
  const before = readIfExists(file);
  try {
    await trustCodex(program, project.root, waiting);
  } catch (error) {
    host.stderr.write(renderTrustFailure(toMementorError(error)));
  } finally {
    rememberEdit(placeOf(file, context), before);
  }
}

async function trustCodex(program: string, root: string, waiting: readonly { key: string; hash: string }[]) {
  const { trustCodexHooks } = await import("./codex-trust.ts");
  await trustCodexHooks(program, root, waiting);
}
