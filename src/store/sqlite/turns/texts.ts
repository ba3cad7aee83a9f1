import type { Connection } from "../connection/connection.ts";
import { PARTS } from "./parts.ts";

/** A turn's text as it is stored. */
export interface TextRow {
  id: number;
  text: string;
  /** As `decodeParts` takes them. */
  parts: string | null;
}

/** The columns of a `TextRow` of the turn `t`. */
export const TEXT = `t.id, t.full_text AS text, ${PARTS} AS parts`;

/** Turns whose texts are in memory at a time. */
const PAGE = 200;

/** Reads turns `t` that fit a condition, in order of id: a memory may hold more text than fits into the process. */
export function* eachTurn<Row extends { id: number } = TextRow>(
  connection: Connection,
  {
    columns = TEXT,
    where = "true",
    params = [],
  }: { columns?: string; where?: string; params?: string[] } = {},
): Iterable<Row> {
  const sql = `SELECT ${columns} FROM turns t WHERE t.id > ? AND ${where} ORDER BY t.id LIMIT ?`;
  for (let after = -1; ; ) {
    const rows = connection.all<Row>(sql, after, ...params, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
