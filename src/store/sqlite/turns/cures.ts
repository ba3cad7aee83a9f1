import type { Cure } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import type { Filter } from "../../filter.ts";
import type { StoredCure } from "../../marks.ts";
import type { Connection } from "../connection/connection.ts";
import { turnCondition } from "../filter.ts";

/** Replaces what is known of a turn's cures. */
export function writeCures(connection: Connection, turnId: number, cures: readonly Clean<Cure>[]): void {
  connection.run("DELETE FROM cures WHERE turn_id = ?", turnId);
  for (const cure of cures) {
    const json = JSON.stringify(cure);
    const { lastId } = connection.run("INSERT INTO cures (turn_id, cure) VALUES (?, ?)", turnId, json);
    for (const { form } of cure.errors)
      connection.run(
        "INSERT OR IGNORE INTO cure_errors (error, cure_id) VALUES (?, ?)",
        hashOf(form),
        lastId,
      );
  }
}

/** Returns what is known of a turn's cures. */
export function curesIn(connection: Connection, turnId: number): Cure[] {
  return connection
    .all<{ cure: string }>("SELECT cure FROM cures WHERE turn_id = ? ORDER BY id", turnId)
    .map(({ cure }) => JSON.parse(cure));
}

/** Returns the cures of errors with one of these forms, in turns that fit, newest first. */
export function curesOf(
  connection: Connection,
  forms: readonly string[],
  filter: Filter,
  limit: number,
): StoredCure[] {
  const fits = turnCondition(filter);
  const rows = connection.all<{ turnId: number; cure: string }>(
    `SELECT c.turn_id AS turnId, c.cure FROM cures c JOIN turns t ON t.id = c.turn_id
     WHERE c.id IN (SELECT e.cure_id FROM json_each(?) j CROSS JOIN cure_errors e ON e.error = j.value) AND ${fits.sql("t.id")}
     ORDER BY t.created_at DESC, c.id DESC LIMIT ?`,
    JSON.stringify(forms.map(hashOf)),
    ...fits.params,
    limit,
  );
  return rows.map(({ turnId, cure }) => ({ turnId, cure: JSON.parse(cure) }));
}

/** A collision only makes a row more to look at. */
function hashOf(form: string): number {
  return Bun.hash.xxHash32(form);
}
