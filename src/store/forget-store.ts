import type { Connection } from "./connection.ts";
import { fileLine } from "./lines.ts";
import type { ForgetStore } from "./store.ts";
import { bury, buryTurn } from "./tombstones.ts";

interface TurnPlace {
  turnId: number;
  sessionId: string;
  agentId: string | null;
  lineIndex: number;
  promptUuid: string | null;
}

export function forgetStore(c: Connection): ForgetStore {
  return {
    async forgetTurns(turnIds) {
      return c.transaction(() => {
        const turns = c.all<TurnPlace>(
          `SELECT t.id AS turnId, t.session_id AS sessionId, t.agent_id AS agentId, t.line_index AS lineIndex,
             t.prompt_uuid AS promptUuid FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value`,
          JSON.stringify(turnIds),
        );
        for (const turn of turns) {
          buryTurn(c, { ...turn, lineIndex: fileLine(turn.lineIndex) });
          forgetFirstPrompt(c, turn);
          c.run("DELETE FROM turns WHERE id = ?", turn.turnId);
        }
        for (const id of new Set(turns.map((turn) => turn.sessionId))) tidySession(c, id);
        dropUnusedResources(c);
        return turns.length;
      });
    },
    async forgetSession(sessionId) {
      c.transaction(() => {
        bury(c, "session", sessionId);
        c.run("DELETE FROM injections WHERE session_id = ?", sessionId);
        dropSession(c, sessionId);
        dropUnusedResources(c);
      });
    },
    async compact() {
      c.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      // Deleted words stay in the index' segments until these are merged.
      c.exec("INSERT INTO chunk_keywords (chunk_keywords) VALUES ('optimize')");
      c.exec("INSERT INTO turn_keywords (turn_keywords) VALUES ('optimize')");
      c.exec("VACUUM");
      c.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}

// The empty text says that there was one: a later read of the transcript does not bring it back.
function forgetFirstPrompt(c: Connection, turn: TurnPlace): void {
  c.run(
    `UPDATE sessions SET first_prompt = '' WHERE session_id = ?1 AND first_prompt IS NOT NULL
       AND instr((SELECT full_text FROM turns WHERE id = ?2), first_prompt) > 0`,
    turn.sessionId,
    turn.turnId,
  );
}

// A session without turns tells nothing but its title; it goes with its last turn.
function tidySession(c: Connection, sessionId: string): void {
  c.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", sessionId);
  if (c.get("SELECT 1 FROM turns WHERE session_id = ? LIMIT 1", sessionId) === null)
    dropSession(c, sessionId);
}

function dropSession(c: Connection, sessionId: string): void {
  for (const table of ["turn_copies", "compactions", "stale_access_patterns", "sessions"]) {
    c.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
  }
}

function dropUnusedResources(c: Connection): void {
  for (const table of ["resource_embeddings", "pending_resources"]) {
    c.run(`DELETE FROM ${table} WHERE resource NOT IN (SELECT file_path FROM file_mentions)`);
  }
}
