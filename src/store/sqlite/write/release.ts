import type { Clean } from "../../../redact/gate.ts";
import type { PromptMark, TurnMark } from "../../marks.ts";
import type { WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";

/** A stored turn that may correspond to a turn of a transcript. */
export interface ExistingTurn {
  id: number;
  sourceId: number | null;
  /** Null when the transcript no longer has the turn. */
  lineIndex: number | null;
  provisional: number;
  promptUuid: string | null;
  text: string;
}

export const EXISTING_COLUMNS = `SELECT id, source_id AS sourceId, line_index AS lineIndex, provisional, prompt_uuid AS promptUuid,
  full_text AS text FROM turns`;

/**
 * Removes the line indexes of all turns of a source. The turns stay, and are found again by their prompts. Also removes the
 * source's boundaries and copies, since their lines now have other content.
 */
export function clearLines(connection: Connection, sourceId: number): void {
  connection.run(
    "UPDATE turns SET line_index = NULL, provisional = 0 WHERE source_id = ? AND line_index IS NOT NULL",
    sourceId,
  );
  connection.run("DELETE FROM turn_copies WHERE source_id = ?", sourceId);
  connection.run("DELETE FROM compactions WHERE source_id = ? AND NOT provisional", sourceId);
}

/**
 * Removes the line indexes of turns in the covered part of the file that are not in the batch. Removes a provisional turn whose
 * prompt is now inside another turn, and returns its marks for `moveMarks`.
 */
export function releaseMissing(
  connection: Connection,
  sourceId: number,
  batch: Clean<WriteBatch>,
): readonly PromptMark[] {
  const lost: PromptMark[] = [];
  const fateOf = fates(batch);
  for (const { sessionId, agentId, from, to } of coveredLines(batch)) {
    const rows = connection.all<ExistingTurn>(
      `${EXISTING_COLUMNS} WHERE source_id = $sourceId AND session_id = $sessionId AND agent_id IS $agentId
         AND line_index >= $from AND line_index < $to`,
      { sourceId, sessionId, agentId, from, to },
    );
    for (const row of rows) {
      const fate = fateOf(row, { sessionId, agentId });
      if (fate === "released") clearLine(connection, row.id);
      if (fate !== "removed") continue;
      lost.push(...promptMarks(connection, row.id, row.promptUuid));
      connection.run("DELETE FROM turns WHERE id = ?", row.id);
    }
  }
  return lost;
}

/** The range of lines that a batch covers, for one session and subagent. */
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

/** The fate of a stored turn in the covered lines. A turn without a place in the batch loses its line or is removed. */
type Fate = "stays" | "released" | "removed";

/** Decides the fates of stored turns in the covered lines. Removes a provisional turn whose prompt is now inside another turn. */
function fates(
  batch: Clean<WriteBatch>,
): (
  row: Pick<ExistingTurn, "promptUuid" | "lineIndex" | "provisional">,
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

/** Removes the line of a turn that its transcript lost; the turn stays. */
export function clearLine(connection: Connection, id: number): void {
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

/** Moves marks to the turns that now contain their prompts; with an origin, only to turns from there. */
export function moveMarks(
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
