import { MementorError, toMementorError } from "../../errors.ts";
import { readIfExists } from "../../io/read.ts";
import { codexConfigFile } from "../../project/agent-hooks/codex-trust.ts";
import {
  type AgentChange,
  agentState,
  installForAgents,
  placeOf,
  untrustedOf,
} from "../../project/agent-hooks/install.ts";
import { type AgentTarget, agentTargets, HOOKED_AGENTS } from "../../project/agent-hooks/targets.ts";
import { type McpChange, registerMcp } from "../../project/agent-mcp/install.ts";
import { MCP_AGENTS, type McpTarget, mcpTargets } from "../../project/agent-mcp/targets.ts";
import { installedProgram } from "../../project/install-program.ts";
import { programOnPath } from "../../project/on-path.ts";
import { rememberEdit } from "../../project/settings-file.ts";
import { renderAgentsQuestion, renderTrustFailure, renderTrustQuestion } from "../../render/agents.ts";
import type { Runtime } from "../../runtime.ts";
import { settingsContext } from "../shared/settings-context.ts";

/** Reads `--for`: `all`, `claude`, or ids with commas between. Throws `usage` for an agent that is not known. */
export function readAgents(typed: string, withMcp: boolean): readonly string[] | "all" {
  const ids = typed
    .toLowerCase()
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.includes("all")) return "all";
  const others = ids.filter((id) => id !== "claude" && id !== "claude-code");
  const known = withMcp ? [...new Set([...HOOKED_AGENTS, ...MCP_AGENTS])] : HOOKED_AGENTS;
  const unknown = others.find((id) => !known.includes(id));
  if (unknown === undefined) return others;
  const hint = `It has hooks for claude, ${HOOKED_AGENTS.join(", ")}; "all" means those that are used on this machine.`;
  const isForMcp = MCP_AGENTS.includes(unknown);
  throw new MementorError("usage", `mementor has no hooks for "${unknown}".`, {
    hint: isForMcp ? `Add "--mcp": ${unknown} takes the MCP server.` : hint,
  });
}

/**
 * Installs the hooks of other agents: those that were named; else those that have them already, and those that a person
 * at the terminal agrees to. Asks whether Codex shall trust them.
 */
export async function enableAgents(
  named: readonly string[] | "all" | null,
  asks: boolean,
  runtime: Runtime,
): Promise<AgentChange[]> {
  const { host, project } = runtime;
  const context = settingsContext(runtime);
  const chosen = await choose(agentTargets(host), named, asks, runtime);
  const changes = installForAgents(chosen, project.root, context, host.now());
  const codex = chosen.find(({ id }) => id === "codex");
  if (codex && asks) await offerTrust(codex, runtime);
  return changes.map((change) => ({
    ...change,
    untrusted: untrustedOf(change, context).length,
  }));
}

/** Registers the MCP server with the agents that were named, or with those that are used here. */
export function registerServers(
  named: readonly string[] | "all" | null,
  { host, paths }: Runtime,
): McpChange[] {
  const targets = mcpTargets(host, installedProgram(host));
  const isWanted = ({ id, isPresent }: McpTarget) =>
    named === null || named === "all" ? isPresent : named.includes(id);
  return registerMcp(targets.filter(isWanted), paths.configDir);
}

async function choose(
  targets: readonly AgentTarget[],
  named: readonly string[] | "all" | null,
  asks: boolean,
  runtime: Runtime,
): Promise<AgentTarget[]> {
  if (named === "all") return targets.filter(({ isPresent }) => isPresent);
  if (named !== null) return targets.filter(({ id }) => named.includes(id));
  const context = settingsContext(runtime);
  const installed = targets.filter((target) => agentState(target, context).events.length > 0);
  const fresh = targets.filter((target) => target.isPresent && !installed.includes(target));
  const { host } = runtime;
  if (!asks || fresh.length === 0) return installed;
  host.stderr.write(renderAgentsQuestion(fresh.map(({ name }) => name)));
  const answer = await host.stdin.readLine();
  return answer !== null && !/^\s*n/i.test(answer) ? [...installed, ...fresh] : installed;
}

/** Codex skips a hook that its user does not trust, without a word: offers to store the trust. */
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
