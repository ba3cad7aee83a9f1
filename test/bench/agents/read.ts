import { existsSync } from "node:fs";
import type { Agent } from "../../../src/agents/agent.ts";
import { filesOfSession } from "../../../src/agents/list.ts";
import type { RawTurn, TurnEntry } from "../../../src/ingest/transcript/transcript.ts";
import { findProject } from "../../../src/io/git/project.ts";
import { sessionsOf } from "../../agents/sources.ts";
import { readAll } from "../../support/read-turns.ts";
import { type Counts, nothing } from "./counts.ts";

/** Tools that are given files; a command names its files in words, which a count without a shell cannot find. */
const FILE_TOOLS = new Set(["Read", "Edit", "Write", "NotebookEdit", "Grep", "Glob"]);
/** Who sent a prompt that nobody typed. */
const SENDERS = new Set<string>(["teammate", "session", "channel", "timer", "server", "other"]);
const WINDOWS = /^[A-Za-z]:/;
/** What a summary holds beside calls. */
const FOUND_IN_CALLS = /^(?:Commit|PullRequest)\(/;

/** Counts what the reader makes of a home directory, each thing once, as a memory holds it. */
export async function countRead(agent: Agent, homeDir: string, project: string): Promise<Counts> {
  const counts = nothing();
  const [seen, files, subagents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const source of await sourcesOf(agent, homeDir, project)) {
    const { steps } = await readAll(source, {
      rootsOf: () => [project],
    });
    for (const { agentId } of steps.flatMap((step) => step.subagents)) subagents.add(agentId);
    const turns = steps.flatMap((step) => step.turns).filter(({ role }) => role === "turn");
    for (const turn of turns) {
      const { sessionId, agentId, entries } = turn;
      for (const file of entries.flatMap(filesOf)) files.add(`${sessionId}/${agentId} ${file}`);
      for (const entry of entries.filter((each) => isNew(each, seen))) add(counts, entry, askedIn(turn));
    }
  }
  return { ...counts, mentions: files.size, subagents: subagents.size };
}

/** What a prompt of a turn counts as; nothing where an agent asked. */
function askedIn({ agentId, origin }: RawTurn): "prompts" | "sent" | null {
  if (agentId !== null || origin === "subagent") return null;
  return SENDERS.has(origin) ? "sent" : "prompts";
}

async function sourcesOf(agent: Agent, homeDir: string, project: string): Promise<string[]> {
  const environment = { env: {}, homeDir, platform: "linux" as const };
  // What was recorded on Windows is no directory here, so that nothing tells what is within.
  if (WINDOWS.test(project))
    return (
      await Promise.all(
        agent
          .roots(environment)
          .filter((root) => existsSync(root))
          .map((root) => Array.fromAsync(agent.discover(root))),
      )
    ).flat();
  const sessions = sessionsOf(agent, findProject(project), environment);
  const sources = await Promise.all(sessions.map((session) => Array.fromAsync(filesOfSession(session))));
  return [...new Set(sources.flat())];
}

/** A resume or a fork has copies of entries. */
function isNew({ uuid }: TurnEntry, seen: Set<string>): boolean {
  const isKnown = uuid !== null && seen.has(uuid);
  if (uuid !== null) seen.add(uuid);
  return !isKnown;
}

function filesOf({ mentions }: TurnEntry): string[] {
  const given = mentions.filter(({ toolName }) => FILE_TOOLS.has(toolName)).map(({ filePath }) => filePath);
  return given.filter((path) => !isOutside(path));
}

/** Files of the project are stored relative to it. */
function isOutside(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path);
}

function add(
  counts: Counts,
  { speaker, texts, toolSummary, errors }: TurnEntry,
  asked: "prompts" | "sent" | null,
): void {
  if (speaker === "user" && asked !== null) counts[asked]++;
  if (speaker === "assistant") counts.answers += texts.filter(({ isThinking }) => !isThinking).length;
  counts.toolCalls += toolSummary.filter((summary) => !FOUND_IN_CALLS.test(summary)).length;
  counts.failures += errors.length;
}
