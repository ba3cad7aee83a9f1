import type { Clean } from "../../../redact/gate.ts";
import type { PromptMark, TurnMark } from "../../marks.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";

/** A stored turn that a turn of a transcript may be. */
export interface Existing {
  id: number;
  sourceId: number | null;
  /** Null when the transcript no longer has the turn. */
  lineIndex: number | null;
  provisional: number;
  promptUuid: string | null;
  text: string;
}

export const EXISTING = `SELECT id, source_id AS sourceId, line_index AS lineIndex, provisional, prompt_uuid AS promptUuid,
  full_text AS text FROM turns`;

/**
 * Removes the line indexes of all turns of a source. The turns stay stored, and are found again by their prompts.
 * Removes boundaries and copies that were read from the source, since their lines have other content now.
 */
export function giveUpLines(connection: Connection, sourceId: number): void {
  connection.run(
    "UPDATE turns SET line_index = NULL, provisional = 0 WHERE source_id = ? AND line_index IS NOT NULL",
    sourceId,
  );
  connection.run("DELETE FROM turn_copies WHERE source_id = ?", sourceId);
  connection.run("DELETE FROM compactions WHERE source_id = ? AND NOT provisional", sourceId);
}

/**
 * Removes the line indexes of turns that were read from the part of the file that the batch covers but are not in the
 * batch. Removes a provisional turn whose prompt is now inside another turn, and returns its marks, for `giveMarks`.
 */
export function releaseMissing(
  connection: Connection,
  sourceId: number,
  batch: Clean<WriteBatch>,
): readonly PromptMark[] {
  const lost: PromptMark[] = [];
  const fateOf = fates(batch);
  for (const { sessionId, agentId, from, to } of coveredLines(batch)) {
    const rows = connection.all<Existing>(
      `${EXISTING} WHERE source_id = $sourceId AND session_id = $sessionId AND agent_id IS $agentId
         AND line_index >= $from AND line_index < $to`,
      { sourceId, sessionId, agentId, from, to },
    );
    for (const row of rows) {
      const fate = fateOf(row, { sessionId, agentId });
      if (fate === "released") release(connection, row.id);
      if (fate !== "removed") continue;
      lost.push(...promptMarks(connection, row.id, row.promptUuid));
      connection.run("DELETE FROM turns WHERE id = ?", row.id);
    }
  }
  return lost;
}

/** The lines of a batch's transcript that the batch covers, of one session and subagent. */
interface Covered {
  sessionId: string;
  agentId: string | null;
  from: number;
  /** Exclusive. */
  to: number;
}

function coveredLines(batch: Clean<WriteBatch>): Covered[] {
  const threads = Map.groupBy(batch.turns, ({ turn }) => `${turn.agentId ?? ""}\n${turn.sessionId}`);
  return [...threads.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { sessionId, agentId } = first.turn;
    const from = Math.min(first.turn.lineIndex, ...rest.map(({ turn }) => turn.lineIndex));
    return { sessionId, agentId, from, to: batch.source.lineIndex };
  });
}

/** What becomes of a stored turn of the covered lines: without a place in the batch, it loses its line or goes. */
type Fate = "stays" | "released" | "removed";

/**
 * Decides what becomes of stored turns of the covered lines. A provisional turn whose prompt is now inside another turn
 * is removed.
 */
function fates(
  batch: Clean<WriteBatch>,
): (
  row: Pick<Existing, "promptUuid" | "lineIndex" | "provisional">,
  thread: Pick<Covered, "sessionId" | "agentId">,
) => Fate {
  const placed = new Set<string>(batch.turns.map(({ turn }) => turn.promptUuid ?? placeKey(turn)));
  const regrouped = new Set<string>(batch.turns.flatMap(({ turn }) => turn.entryUuids));
  return ({ promptUuid, lineIndex, provisional }, { sessionId, agentId }) => {
    if (placed.has(promptUuid ?? placeKey({ sessionId, agentId, lineIndex }))) return "stays";
    const moved = promptUuid === null || regrouped.has(promptUuid);
    return provisional !== 0 && moved ? "removed" : "released";
  };
}

function placeKey(turn: { sessionId: string; agentId: string | null; lineIndex: number | null }): string {
  return `${turn.sessionId}\n${turn.agentId ?? ""}\n${turn.lineIndex}`;
}

/** Takes the line of a turn that its transcript lost; the turn stays. */
export function release(connection: Connection, id: number): void {
  connection.run("UPDATE turns SET line_index = NULL, provisional = 0 WHERE id = ?", id);
}

/** Returns the marks of a turn that is about to be removed; none when its prompt has no `uuid` to find it by. */
function promptMarks(connection: Connection, turnId: number, promptUuid: string | null): PromptMark[] {
  if (promptUuid === null) return [];
  const marks = connection.all<Pick<TurnMark, "kind" | "time">>(
    "SELECT kind, time FROM turn_marks WHERE turn_id = ?",
    turnId,
  );
  return marks.map((mark) => ({ ...mark, promptUuid }));
}

/** Gives the marks to the turns that contain their prompts now; with an origin, only to turns that came from there. */
export function giveMarks(
  connection: Connection,
  marks: readonly PromptMark[],
  origin: string | null = null,
): void {
  for (const { promptUuid, kind, time } of marks)
    connection.run(
      `INSERT OR IGNORE INTO turn_marks (turn_id, kind, time)
       SELECT e.turn_id, ?, ? FROM entries e WHERE e.uuid = coalesce(unhex(?, '-'), ?)
         AND (?5 IS NULL OR (SELECT t.foreign_origin FROM turns t WHERE t.id = e.turn_id) = ?5)`,
      kind,
      time,
      promptUuid,
      promptUuid,
      origin,
    );
}
