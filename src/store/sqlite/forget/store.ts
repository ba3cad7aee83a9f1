import { authorOrOwn } from "../../filter.ts";
import type { ForgetPlan, PruneRequest } from "../../forget.ts";
import type { ForgetStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import { ANYTHING, type Condition, turnCondition } from "../filter.ts";
import { usedBytes } from "./compact.ts";
import { importedFrom, NO_PLAN, planForget } from "./plan.ts";
import { previewForget } from "./preview.ts";
import { removeTurns } from "./remove.ts";

export function forgetStore(connection: Connection): ForgetStore {
  return {
    plan: async (selection) => connection.snapshot(() => planForget(connection, selection)),
    planPrune: async (request) => connection.snapshot(() => planPrune(connection, request)),
    origins: async () => importedFrom(connection),
    preview: async (plan, isPrune = false) =>
      connection.snapshot(() => previewForget(connection, plan, isPrune)),
    forget: async (plan) => removeTurns(connection, plan, "forget"),
    prune: async (plan) => removeTurns(connection, plan, "prune"),
  };
}

/**
 * Size of a turn's and a chunk's keys, indexes, vector, bits and keywords, in bytes. Only the ratio to the texts
 * matters.
 */
const TURN_BYTES = 1_000;
const CHUNK_BYTES = 2_500;
/** A text is stored three times: in its turn, in its chunks, and as keywords. */
const TEXT_COPIES = 3;

/** Plans the removal of the oldest turns until the limits hold. Pinned turns and turns without a time stay. */
function planPrune(connection: Connection, { before, maxBytes, keepFrom, author }: PruneRequest): ForgetPlan {
  const whose = turnCondition(authorOrOwn(author));
  const rows = connection.all<{ id: number; time: string; weight: number }>(
    `SELECT t.id, t.created_at AS time, ${TURN_BYTES} + ${TEXT_COPIES} * octet_length(t.full_text)
       + ${CHUNK_BYTES} * (SELECT count(*) FROM chunks k WHERE k.turn_id = t.id) AS weight
     FROM turns t WHERE t.created_at IS NOT NULL AND t.created_at < ? 
       AND NOT EXISTS (SELECT 1 FROM turn_marks m WHERE m.turn_id = t.id AND m.kind = 'pin')
       AND ${whose.sql("t.id")}
     ORDER BY t.created_at, t.id`,
    keepFrom,
    ...whose.params,
  );
  const empty = emptyBytes(connection);
  const bytesPerWeight =
    Math.max(1, usedBytes(connection) - empty) / Math.max(1, weightOf(connection, ANYTHING));
  let over = maxBytes === null ? 0 : weightOf(connection, whose) - (maxBytes - empty) / bytesPerWeight;
  const turnIds: number[] = [];
  for (const { id, time, weight } of rows) {
    if (over <= 0 && (before === null || time >= before)) break;
    turnIds.push(id);
    over -= weight;
  }
  return { ...NO_PLAN, turnIds };
}

/** Returns the size of the empty tables: one page for each table and index. */
function emptyBytes(connection: Connection): number {
  const row = connection.get<{ bytes: number }>(
    "SELECT count(*) * (SELECT page_size FROM pragma_page_size) AS bytes FROM sqlite_master WHERE rootpage > 0",
  );
  return row?.bytes ?? 0;
}

function weightOf(connection: Connection, whose: Condition): number {
  const row = connection.get<{ weight: number | null }>(
    `SELECT sum(${TURN_BYTES} + ${TEXT_COPIES} * octet_length(t.full_text))
       + ${CHUNK_BYTES} * (SELECT count(*) FROM chunks k WHERE ${whose.sql("k.turn_id")}) AS weight
     FROM turns t WHERE ${whose.sql("t.id")}`,
    ...whose.params,
    ...whose.params,
  );
  return row?.weight ?? 0;
}
