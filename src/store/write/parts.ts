import type { Turn } from "../../domain.ts";
import { withoutForward } from "../../turn/cut.ts";
import type { Connection } from "../connection/connection.ts";
import { sourceName } from "../forget/fields.ts";
import { writeParts } from "../turns/parts.ts";

/** Returns the transcripts whose turns have parts that were parsed from their texts, those read last first. */
export function transcriptsWithoutParts(connection: Connection): string[] {
  return connection
    .all<{ path: string }>("SELECT path FROM sources WHERE parts_pending = 1 ORDER BY mtime_ms DESC, id")
    .map(({ path }) => path);
}

/** Gives stored turns of a transcript the parts of these, where the text is the same, in one transaction. */
export function saveParts(connection: Connection, path: string, turns: readonly Turn[]): void {
  connection.transaction(() => {
    const source = connection.get<{ id: number }>(
      "SELECT id FROM sources WHERE path = ?",
      sourceName(connection, path),
    );
    if (source === null) return;
    for (const turn of turns) {
      // The prompt that follows may have been forgotten since.
      for (const text of [turn, withoutForward(turn)])
        for (const id of turnsOfText(connection, source.id, turn, text.text))
          writeParts(connection, id, text);
    }
  });
}

function turnsOfText(connection: Connection, sourceId: number, turn: Turn, text: string): number[] {
  return connection
    .all<{ id: number }>(
      `SELECT t.id FROM turns t WHERE t.source_id = $source AND t.session_id = $session
         AND t.agent_id IS $agent AND t.prompt_uuid IS $prompt AND t.full_text = $text`,
      {
        $source: sourceId,
        $session: turn.sessionId,
        $agent: turn.agentId,
        $prompt: turn.promptUuid,
        $text: text,
      },
    )
    .map(({ id }) => id);
}
