import type { PromptMark, TurnMark } from "../../marks.ts";
import type { Connection } from "../connection/connection.ts";

/** Returns the marks of a turn that is about to be removed; none when its prompt has no `uuid` to find it by. */
export function promptMarks(connection: Connection, turnId: number, promptUuid: string | null): PromptMark[] {
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
