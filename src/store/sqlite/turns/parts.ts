import type { Database } from "bun:sqlite";
import type { Failure } from "../../../domain.ts";
import { parseText } from "../../../turn/grammar.ts";
import type { TurnText } from "../../../turn/text.ts";
import { decodeFailures, encodeFailures, encodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";

/** The parts of the turn `t`, as `decodeParts` takes them. */
export const PARTS = "(SELECT p.parts FROM turn_parts p WHERE p.turn_id = t.id)";

/** Turns whose texts are in memory at a time. */
const PAGE = 200;

/**
 * Stores where the parts of a turn's text are and what is known of its failures, in place of what was stored before.
 */
export function writeParts(
  connection: Connection,
  turnId: number,
  { parts, failures }: Pick<TurnText, "parts"> & { failures?: readonly Failure[] },
): void {
  connection.run(
    `INSERT INTO turn_parts (turn_id, parts, failures) VALUES (?, ?, ?)
     ON CONFLICT (turn_id) DO UPDATE SET parts = excluded.parts, failures = excluded.failures`,
    turnId,
    encodeParts(parts),
    failures === undefined || failures.length === 0 ? null : encodeFailures(failures),
  );
}

/** Returns what is known of a turn's failures. */
export function failuresOf(connection: Connection, turnId: number): Failure[] {
  const sql = "SELECT failures FROM turn_parts WHERE turn_id = ?";
  return decodeFailures(connection.get<{ failures: string | null }>(sql, turnId)?.failures ?? null);
}

/** Parses the texts of all turns whose parts are not stored: those of an older or damaged database. */
export function fillParts(db: Database): void {
  const select = db.query<{ id: number; text: string; tools: string }, [number, number]>(
    `SELECT t.id, t.full_text AS text, t.tool_summary AS tools FROM turns t
     WHERE t.id > ? AND NOT EXISTS (SELECT 1 FROM turn_parts p WHERE p.turn_id = t.id) ORDER BY t.id LIMIT ?`,
  );
  const insert = db.query("INSERT INTO turn_parts (turn_id, parts) VALUES (?, ?)");
  for (let after = 0; ; ) {
    const rows = select.all(after, PAGE);
    for (const { id, text, tools } of rows)
      insert.run(id, encodeParts(parseText(text, toolsOf(tools)).parts));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

// A row of a damaged database must not keep the others from being read.
function toolsOf(json: string): string[] {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}
