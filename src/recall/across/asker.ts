import type { RunningCall } from "../../agents/running.ts";
import { ancestors, isAtTerminal, isStartedIndependently, type Process } from "../../io/ancestors.ts";
import { memoryPaths } from "../../project/memory.ts";
import type { RunningSession } from "../../project/running-session.ts";
import type { Runtime } from "../../runtime.ts";
import type { Asker, Filter } from "../../store/filter.ts";
import type { ReadStore } from "../../store/store.ts";
import type { FiltersIn } from "./filter.ts";

/** How an agent calls this program: by running a command, or through a server that it has started. */
export interface AskChannel {
  by: "command" | "server";
  /** The call according to the agent's transcript; null when unknown. */
  call: RunningCall | null;
}

/** The variable in which Claude Code passes its session id to its child processes. */
const SESSION = "CLAUDE_CODE_SESSION_ID";
const CLAUDE_CODE = "claude-code";

/**
 * Returns the asking agent and its context for the filter `inContext`; null when unknown, and for a team's database, which does
 * not store contexts.
 */
async function askerOf(
  runtime: Runtime,
  { local }: Pick<ReadStore, "local">,
  { by, call }: AskChannel,
): Promise<Asker | null> {
  const session = local === null ? null : await runningSession(runtime, by);
  if (session === null || local === null) return null;
  const { client, sessionId } = session;
  const { host } = runtime;
  const { callingSubagent, runningTranscript, unreadOf } = await import("../../agents/running.ts");
  const transcript = session.transcript ?? (await runningTranscript(client, sessionId, host));
  if (transcript === null) return { sessionId };
  const agentId = call === null ? null : await callingSubagent(client, transcript, call);
  if (agentId !== null) return { sessionId, agentId };
  const unread = await unreadOf(client, transcript, await local.recall.readUntil(transcript));
  return unread === null ? { sessionId } : { sessionId, unread };
}

/**
 * Returns a filter that excludes the asker's context. Returns a filter that names a session unchanged, also when the asker is
 * unknown.
 */
export async function excludeSeen(
  filter: Filter,
  runtime: Runtime,
  store: Pick<ReadStore, "local">,
  asking: AskChannel,
): Promise<Filter> {
  const asker = filter.session === undefined ? await askerOf(runtime, store, asking) : null;
  return asker === null ? filter : { ...filter, inContext: asker };
}

/** Returns filters for several memories that exclude the asker's context. */
export function excludeAllSeen(filters: FiltersIn, runtime: Runtime, asking: AskChannel): FiltersIn {
  const of: FiltersIn["of"] = async (store, project) =>
    excludeSeen(await filters.of(store, project), runtime, store, asking);
  return { ...filters, of };
}

/** Returns the session of the agent that started this program; null when unknown. */
export async function runningSession(runtime: Runtime, by: AskChannel["by"]): Promise<RunningSession | null> {
  const { env, platform } = runtime.host;
  const noted = await notedAbove(runtime, () => ancestors(process, platform, { canAsk: true }));
  const named: RunningSession | null = env[SESSION]
    ? { client: CLAUDE_CODE, sessionId: env[SESSION], transcript: null }
    : null;
  // A server keeps the variable from its start, even when its agent moves to another session. And an agent started from a Claude
  // Code session inherits that session's variable.
  if (noted !== null && (by === "server" || named === null || noted.client !== CLAUDE_CODE)) return noted;
  return named?.sessionId === noted?.sessionId ? (noted ?? named) : named;
}

/** Variables that agents set in the shells they run. A person's own shell has none of these, unless an agent started it. */
const AGENTS_SHELL = [
  ...[
    "CLAUDECODE",
    SESSION,
    "AI_AGENT",
    "CODEX_THREAD_ID",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
  ],
  ...["CURSOR_AGENT", "GEMINI_CLI", "QWEN_CODE", "OPENCODE", "CLINE_ACTIVE"],
];

/**
 * Tells whether an agent runs this command, as far as known; its text is then the agent's, not the user's. While an agent runs in
 * any of the user's projects, also true for a process that no terminal's shell started, because a shell can detach its children,
 * and for one in a terminal that the agent may have created.
 */
export async function isRunByAgent({ host, paths, registry }: Runtime): Promise<boolean> {
  const { env, platform } = host;
  if (AGENTS_SHELL.some((name) => (env[name] ?? "") !== "")) return true;
  const { findRunningSession, runningAgents } = await import("../../project/running-session.ts");
  // An agent may write into the memory of another project than its own.
  const directories = registry.projects.flatMap(({ id }) =>
    id === null ? [] : memoryPaths(paths.dataDir, id).directory,
  );
  const above = ancestors(process, platform, { canAsk: true });
  if (directories.some((directory) => findRunningSession(directory, above) !== null)) return true;
  const agents = directories.flatMap((directory) => runningAgents(directory, platform));
  if (agents.length === 0) return false;
  if (!(isAtTerminal(process.pid, platform) ?? host.stdin.isTerminal)) return true;
  return agents.some((agent) => isStartedIndependently(process.pid, agent, platform) === false);
}

async function notedAbove(
  { databaseUrl, memory }: Runtime,
  processes: () => readonly Process[],
): Promise<RunningSession | null> {
  if (databaseUrl !== null || memory.directory === null) return null;
  const { findRunningSession } = await import("../../project/running-session.ts");
  return findRunningSession(memory.directory, processes());
}
