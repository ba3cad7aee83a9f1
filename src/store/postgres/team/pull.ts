import type { ChangeKind, DeviceName, IncomingChange, Position } from "../../contract/types/team.ts";
import { sameBytes } from "../../shared/digest.ts";
import type { ProjectDatabase } from "../query.ts";
import { pageOf } from "./limits.ts";
import { readTurns } from "./read-turns.ts";

/** Changes in one answer. */
const PAGE = 500;

interface ChangeRow {
  number: number;
  kind: ChangeKind;
  target: string;
  key: string;
  chain: string;
  turnId: number | null;
}

/** Reads the changes after a position, with the present state of what they put. See `TeamServer.pull`. */
export async function pull(
  database: ProjectDatabase,
  { author, deviceId }: DeviceName,
  from: Position,
  model: string | null,
): Promise<IncomingChange[] | null> {
  const rows = await database.all<ChangeRow>(
    `SELECT c.number, c.kind, c.target, encode(c.turn_key, 'hex') AS key, encode(c.chain, 'hex') AS chain,
       t.turn_id AS "turnId"
     FROM mementor.changes c LEFT JOIN mementor.turns t ON c.kind = 'put' AND t.project_id = c.project_id
       AND t.author = c.target AND t.turn_key = c.turn_key
     WHERE c.project_id = :project AND c.author = ? AND c.device_id = ?::uuid AND c.number >= ?::bigint
     ORDER BY c.number LIMIT ?::integer`,
    author,
    deviceId,
    from.number,
    PAGE + 1,
  );
  if (from.number > 0) {
    const known = rows.shift();
    if (known?.number !== from.number || !sameBytes(Buffer.from(known.chain, "hex"), from.chain)) return null;
  }
  const { fitting, next } = await pageOf(
    database,
    rows.flatMap(({ turnId }) => turnId ?? []),
  );
  const turns = await readTurns(database, fitting, model);
  const end = next === null ? -1 : rows.findIndex(({ turnId }) => turnId === next);
  return (end < 0 ? rows : rows.slice(0, end)).map(({ key, chain, turnId, ...change }) => ({
    ...change,
    turnKey: Buffer.from(key, "hex"),
    chain: Buffer.from(chain, "hex"),
    turn: turnId === null ? null : (turns.get(turnId) ?? null),
  }));
}
