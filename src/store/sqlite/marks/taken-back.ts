import type { Rewind } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import type { Connection } from "../connection/connection.ts";

/**
 * Marks the turns that users took back: from the turn that the record starts, or after the turn that contains it, to the
 * rewind. They stay in the memory, and hooks leave them out.
 */
export function markTakenBack(connection: Connection, rewinds: readonly Clean<Rewind>[]): void {
  for (const rewind of rewinds)
    connection.run(
      `INSERT OR IGNORE INTO turn_marks (turn_id, kind, time)
       SELECT t.id, 'undone', $now FROM turns f JOIN turns t ON t.source_id = f.source_id
       WHERE f.id IN (SELECT turn_id FROM entries WHERE uuid = coalesce(unhex($uuid, '-'), $uuid))
         AND t.session_id = $sessionId AND t.agent_id IS NULL AND t.line_index < $lineIndex
         AND (t.line_index > f.line_index OR t.id = f.id AND f.prompt_uuid = $uuid)`,
      { ...rewind, now: connection.now() },
    );
}

/** Removes the mark of a turn that is read again. If it is still taken back, the same source says so. */
export function unmarkTakenBack(connection: Connection, turnId: number): void {
  connection.run("DELETE FROM turn_marks WHERE turn_id = ? AND kind = 'undone'", turnId);
}
