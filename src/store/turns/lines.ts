import { basename } from "node:path";
import type { Connection } from "../connection/connection.ts";

/** Lines of the second, third, ... file that tells of one session start this much later. */
export const LINE_STRIDE = 1_000_000_000;

/** Returns what to add to the lines of this file in this session: 0 for the session's own file. */
export function lineBase(
  connection: Connection,
  source: { id: number; path: string },
  sessionId: string,
  agentId: string | null,
): number {
  const agent = agentId ?? "";
  const known = connection.get<{ line_base: number }>(
    "SELECT line_base FROM source_lines WHERE session_id = ? AND agent_id = ? AND source_id = ?",
    sessionId,
    agent,
    source.id,
  );
  if (known !== null) return known.line_base;
  const taken = new Set(
    connection
      .all<{ line_base: number }>(
        "SELECT line_base FROM source_lines WHERE session_id = ? AND agent_id = ?",
        sessionId,
        agent,
      )
      .map((row) => row.line_base),
  );
  let base =
    isOwnFile(source.path, sessionId, agentId) || !hasTurns(connection, sessionId, agent) ? 0 : LINE_STRIDE;
  while (taken.has(base)) base += LINE_STRIDE;
  connection.run("INSERT INTO source_lines VALUES (?, ?, ?, ?)", sessionId, agent, source.id, base);
  return base;
}

/** Returns the line in its file; a negative one says that the file no longer has it. */
export function fileLine(lineIndex: number): number {
  return lineIndex < 0 ? -1 : lineIndex % LINE_STRIDE;
}

function hasTurns(connection: Connection, sessionId: string, agent: string): boolean {
  const sql = "SELECT 1 FROM turns WHERE session_id = ? AND coalesce(agent_id, '') = ? LIMIT 1";
  return connection.get(sql, sessionId, agent) !== null;
}

// `<session>.jsonl`, and anything of that session's folder for its subagents (inline ones included).
function isOwnFile(path: string, sessionId: string, agentId: string | null): boolean {
  const name = basename(path.replaceAll("\\", "/")).replace(/\.jsonl$/, "");
  if (agentId === null) return name === sessionId;
  return name === sessionId || name === `agent-${agentId}` || name === agentId;
}
