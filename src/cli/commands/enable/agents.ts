import { MementorError } from "../../../errors.ts";
import { readIfExists } from "../../../io/read.ts";
import { writeAtomic } from "../../../io/write.ts";
import { declinedIds, declineMemories, withdrawRefusal } from "../../../project/registry.ts";
import type { Runtime } from "../../../runtime.ts";
import { codexConfigFile, withTrust } from "../../../setup/hooks/codex-trust.ts";
import {
  type AgentChange,
  agentState,
  findUntrusted,
  installForAgents,
  isInstalled,
  type PermissionWish,
  settingsPlace,
} from "../../../setup/hooks/install.ts";
import { permissionFileWrites } from "../../../setup/hooks/permission-file.ts";
import { type AgentTarget, agentTargets, HOOKED_AGENTS } from "../../../setup/hooks/targets.ts";
import {
  hasServer,
  MCP_AGENTS,
  type McpChange,
  type McpTarget,
  mcpTargets,
  recordServers,
  registerMcp,
  startedServers,
} from "../../../setup/mcp.ts";
import { installedProgram } from "../../../setup/program/install-program.ts";
import { rememberEdit } from "../../../setup/settings/settings-file.ts";
import type { SettingsContext } from "../../../setup/settings/settings-places.ts";
import { settingsContext } from "../../settings-context.ts";
import { askUser } from "../../terminal/ask.ts";
import { renderError } from "../../terminal/screen.ts";
import { renderAgentsQuestion, renderPluginQuestion, renderTrustQuestion } from "./agent-lines.ts";

/** What was done for other agents. */
export interface OtherAgents {
  agents: AgentChange[];
  servers: McpChange[];
  /** Agents that are used here and that the user has refused, now or at an earlier `enable`. */
  declined: Pick<AgentTarget, "id" | "name">[];
}

/** Reads `--for`: `all`, `claude`, or ids separated by commas; null without it. Throws `usage` for an unknown agent. */
export function readAgents(typed: string | undefined): Named {
  if (typed === undefined) return null;
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
 * Chooses the agents that get hooks, and those without hooks that get the MCP server: the named agents or, without
 * names, those that already have them and those that the person at the terminal agrees to. With `mcp`, agents with
 * hooks get the server too. Asks whether opencode should get the plugin, and whether Codex should trust the hooks.
 * Changes nothing. Resolves to null when the person quits.
 */
export async function chooseAgents(
  named: Named,
  options: AgentOptions,
  runtime: Runtime,
): Promise<Chosen | null> {
  const { host } = runtime;
  const { mcp, asks } = options;
  const without = named === null ? await offered(options, runtime) : asNamed(named, mcp, runtime);
  const chosen = without && (await withPlugin(without, named, options, runtime));
  if (chosen === null || !asks || !isTrustAsked(chosen, runtime)) return chosen;
  const decision = await askUser(host, renderTrustQuestion(), "no");
  return decision === "quit" ? null : { ...chosen, trusts: decision === "yes" };
}

/** Installs hooks and the MCP server for the chosen agents. Remembers a refusal until the agent is named. */
export function installChosen(chosen: Chosen, leave: PermissionWish, runtime: Runtime): OtherAgents {
  const { host, project, paths } = runtime;
  const context = settingsContext(runtime);
  withdrawRefusal(paths.configDir, chosen.named);
  declineMemories(paths.configDir, chosen.refused);
  const changes = installForAgents(chosen.hooks, project.root, context, host.now(), leave);
  const servers = registerMcp(chosen.servers, paths.configDir);
  // As with hooks: without names, existing servers are kept for this project, too.
  const there = chosen.named.length === 0 ? startedServers(mcpTargets(host, installedProgram(host))) : [];
  const files = [...servers, ...there].map(({ file }) => file);
  recordServers([...new Set(files)], project.root, context, host.now());
  const codex = chosen.hooks.find(({ id }) => id === "codex");
  if (codex && chosen.trusts) storeTrust(codex, runtime);
  const agents = changes.map((change) => ({ ...change, untrusted: findUntrusted(change, context).length }));
  return { agents, servers, declined: chosen.named.length === 0 ? declinedOf(runtime) : [] };
}

/** Lists the agents that get hooks without a question: the named ones or, without names, those that have hooks already. */
export function agentsWithoutQuestion(named: Named, runtime: Runtime): AgentTarget[] {
  const context = settingsContext(runtime);
  if (named !== null) return asNamed(named, false, runtime).hooks;
  return agentTargets(runtime.host).filter((target) => isInstalled(target, context));
}

function asNamed(named: NonNullable<Named>, mcp: boolean, runtime: Runtime): Chosen {
  const { host } = runtime;
  const isNamed = ({ id, isPresent }: AgentTarget | McpTarget) =>
    named === "all" ? isPresent : named.includes(id);
  const context = settingsContext(runtime);
  const isWanted = (target: AgentTarget) => !target.isOptIn || isInstalled(target, context);
  const hooks = agentTargets(host).filter((target) => isNamed(target) && isWanted(target));
  const servers = mcpTargets(host, installedProgram(host)).filter(isNamed);
  return {
    hooks,
    servers: servers.filter((target) => mcp || takesNoHooks(target)),
    refused: [],
    named: [...hooks, ...servers].map(({ id }) => id),
    trusts: false,
  };
}

async function offered({ mcp, asks, approves }: AgentOptions, runtime: Runtime): Promise<Chosen | null> {
  const { host, paths } = runtime;
  const context = settingsContext(runtime);
  const hooks = agentTargets(host);
  const servers = mcpTargets(host, installedProgram(host));
  const installed = hooks.filter((target) => isInstalled(target, context));
  const given = mcp ? servers.filter(({ isPresent }) => isPresent) : [];
  const refused = declinedIds(paths.configDir);
  const isNew = ({ id, isPresent }: AgentTarget | McpTarget) => isPresent && !refused.includes(id);
  const freshHooks = hooks.filter(
    (target) => isNew(target) && !target.isOptIn && !installed.includes(target),
  );
  const freshServers = servers.filter(
    (target) => isNew(target) && !given.includes(target) && isWaiting(target),
  );
  const fresh = [...freshHooks, ...freshServers];
  const kept = { hooks: installed, servers: given, refused: [], named: [], trusts: false };
  if (!asks || fresh.length === 0) return kept;
  const leave = approves ? permissionFileWrites(freshHooks, context) : [];
  const decision = await askUser(host, renderAgentsQuestion(fresh, leave), "yes");
  if (decision === "quit") return null;
  if (decision === "no") return { ...kept, refused: fresh.map(({ id }) => id) };
  return { ...kept, hooks: [...installed, ...freshHooks], servers: [...given, ...freshServers] };
}

/** Returns the agents that are used here, have nothing of mementor, and were refused. */
function declinedOf(runtime: Runtime): OtherAgents["declined"] {
  const { host, paths } = runtime;
  const context = settingsContext(runtime);
  const refused = declinedIds(paths.configDir);
  const hooks = agentTargets(host)
    .filter((target) => target.isPresent && !isInstalled(target, context))
    .map((target) => (target.isOptIn ? pluginOf(target) : target));
  const servers = mcpTargets(host, installedProgram(host)).filter(isWaiting);
  return [...hooks, ...servers]
    .filter(({ id }) => refused.includes(id))
    .map(({ id, name }) => ({ id, name }));
}

function takesNoHooks({ id }: McpTarget): boolean {
  return !HOOKED_AGENTS.includes(id);
}

/** Tells whether an agent without hooks is used here and does not have the server; false where its settings cannot be read. */
function isWaiting(target: McpTarget): boolean {
  try {
    return target.isPresent && takesNoHooks(target) && !hasServer(target);
  } catch {
    return false;
  }
}

/** Codex skips a hook without a message until its user trusts it. */
function isTrustAsked({ hooks }: Chosen, runtime: Runtime): boolean {
  const codex = hooks.find(({ id }) => id === "codex");
  if (codex === undefined) return false;
  const { events, stale, untrusted } = agentState(codex, settingsContext(runtime));
  return events.length === 0 || stale.length > 0 || untrusted > 0;
}

/** Stores the trust in the hooks where Codex does. Says why where that fails: the hooks are installed, and trust can follow. */
function storeTrust(codex: AgentTarget, runtime: Runtime): void {
  const { stderr, env } = runtime.host;
  try {
    writeTrust(codex, settingsContext(runtime));
  } catch (error) {
    if (!(error instanceof MementorError)) throw error;
    stderr.write(renderError(error, stderr, env));
  }
}

function writeTrust(codex: AgentTarget, context: SettingsContext): void {
  const waiting = findUntrusted(codex, context);
  if (waiting.length === 0) return;
  const file = codexConfigFile(codex.file);
  const before = readIfExists(file);
  const after = withTrust(before ?? "", waiting);
  if (after === null)
    throw new MementorError("settings_invalid", `mementor cannot add its trusted hooks to ${file}`, {
      hint: 'Type "/hooks" in Codex, and trust them there.',
    });
  writeAtomic(file, after);
  rememberEdit(settingsPlace(file, context), before);
}

/** The plugin of an agent, with its own id among what the user refused. */
function pluginOf({ id, name }: AgentTarget): { id: string; name: string } {
  return { id: `${id}-plugin`, name: `${name}'s plugin` };
}

/**
 * Adds the plugin of an agent that takes hooks in no other way: by its option, or as the person at the terminal answers.
 * Asks only about an agent that has the MCP server or gets it now. Resolves to null when the person quits.
 */
async function withPlugin(
  chosen: Chosen,
  named: Named,
  { plugin, asks }: AgentOptions,
  { host, paths }: Runtime,
): Promise<Chosen | null> {
  const target = agentTargets(host).find(({ isOptIn }) => isOptIn);
  if (target === undefined || chosen.hooks.some(({ id }) => id === target.id)) return chosen;
  const { id, name } = pluginOf(target);
  const added = { ...chosen, hooks: [...chosen.hooks, target] };
  if (plugin) return { ...added, named: [...chosen.named, id] };
  const servers = [...chosen.servers, ...startedServers(mcpTargets(host, installedProgram(host)))];
  const isMeant = named === null || named === "all" || named.includes(target.id);
  const isServed = isMeant && target.isPresent && servers.some((server) => server.id === target.id);
  if (!asks || !isServed || declinedIds(paths.configDir).includes(id)) return chosen;
  const decision = await askUser(host, renderPluginQuestion(target.name, name), "no");
  if (decision === "quit") return null;
  return decision === "yes" ? added : { ...chosen, refused: [...chosen.refused, id] };
}

/** The agents in `--for`; null without it. */
export type Named = readonly string[] | "all" | null;

/** Other agents that get hooks or the MCP server in their settings. */
export interface Chosen {
  hooks: AgentTarget[];
  servers: McpTarget[];
  /** Ids of agents that the person refused just now. */
  refused: string[];
  /** Ids of agents that the person named. */
  named: string[];
  /** True if Codex shall trust the hooks. */
  trusts: boolean;
}

/** How to set up other agents. */
export interface AgentOptions {
  /** Register the MCP server with agents that get hooks, too. */
  mcp: boolean;
  /** Install opencode's plugin. */
  plugin: boolean;
  /** True if agents may ask the memory without a question. */
  approves: boolean;
  /** True if a person can answer questions. */
  asks: boolean;
}
