import type { PromptMark, TurnMark } from "../../contract/types/marks.ts";
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

/** Gives the marks to the turns that contain their prompts now. */
export function giveMarks(connection: Connection, marks: readonly PromptMark[]): void {
  for (const { promptUuid, kind, time } of marks)
    connection.run(
      `INSERT OR IGNORE INTO turn_marks (turn_id, kind, time)
       SELECT turn_id, ?, ? FROM entries WHERE uuid = coalesce(unhex(?, '-'), ?)`,
      ...[kind, time, promptUuid, promptUuid],
    );
}
