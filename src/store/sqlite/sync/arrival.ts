import type { TeamTurn } from "../../team.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { type BuriedTurn, isBuried, isForgotten } from "../forget/tombstones.ts";
import { TEXT, type TextRow } from "../turns/columns.ts";
import { arriving, type Brought, type Copy, type Verdict, verdictOn } from "./rules.ts";
import { type Arriving, writeArrived } from "./write-turn.ts";

/** A turn that arrives. */
export interface Arrival extends Pick<Brought, "record"> {
  turn: TeamTurn;
  turnKey: Uint8Array;
  /** Null for one's own. */
  author: string | null;
  /** The device of the team that sent it; null for a turn from the folder. */
  deviceId: string | null;
  /** ISO 8601. Later times are not believed, and older turns of colleagues are not kept; null for no limit. */
  until: string | null;
  from: string | null;
}

/** What became of a turn. `copy` is what was here before, `turn` what of it is believed, `id` that of the stored turn. */
export type Taken = { turn: TeamTurn; copy: StoredCopy | null } & (
  | { verdict: "new" | "there"; id: number }
  | { verdict: Exclude<Verdict, "new" | "there"> }
);

/** Stores a turn that arrives where nothing here counts more. Null for what is no turn of a mementor. */
export function acceptTurn(connection: Connection, given: Arrival, together: Arriving): Taken | null {
  const turn = arriving(given.turn, given.until);
  if (turn === null) return null;
  const { author, deviceId, record, turnKey } = given;
  const arrival = { ...given, turn };
  const copy = copyOf(connection, arrival);
  const kept = keptOut(connection, arrival);
  const verdict = verdictOn({ turn, record, isOwn: author === null, kept }, copy);
  if (verdict !== "new" && verdict !== "there") return { verdict, turn, copy };
  const origin =
    deviceId === null
      ? { author, deviceId: copy?.deviceId ?? null, turnKey: null }
      : { author, deviceId, turnKey };
  return { verdict, turn, copy, id: writeArrived(connection, { turn, known: copy, origin }, together) };
}

type StoredCopy = Copy & { id: number };

const IN_FOLDER = `f.home, coalesce(f.holder, (SELECT o.writer FROM folder o)) AS writer,
  coalesce(iif(f.holder IS NULL, (SELECT i.seq FROM folder_items i WHERE i.turn_id = t.id AND i.mark = ''), f.seq), 0) AS seq,
  EXISTS (SELECT 1 FROM folder_writers w WHERE w.writer = f.holder AND w.is_over) AS isOver, f.cleans,
  EXISTS (SELECT 1 FROM folder_dirty d WHERE d.turn_id = t.id) AS isWaiting`;

/** In SQL, ids of turns that are known by a key: those of the user, and that of the author. */
const BY_KEY = `SELECT turn_id FROM team_changes WHERE turn_key = $turnKey AND kind = 'put' AND target IS NULL
  UNION ALL SELECT turn_id FROM folder_turns WHERE turn_key = lower(hex($turnKey))
  UNION ALL SELECT turn_id FROM folder_items WHERE turn_key = lower(hex($turnKey)) AND mark = ''
  UNION ALL SELECT id FROM turns WHERE coalesce(author, '') = $author AND turn_key = $turnKey`;

type Flag = "isOwn" | "isOver" | "isWaiting";

/** Returns the turn that is here, from wherever it came: one's own first. */
function copyOf(connection: Connection, { turn, turnKey, author, record }: Arrival): StoredCopy | null {
  type Row = TextRow &
    Omit<StoredCopy, "parts" | "place" | "cleans" | Flag> &
    Record<Flag, number> & { writer: string | null; seq: number; cleans: string | null };
  const find = (where: string, values: Record<string, string | null | Uint8Array>) =>
    connection.get<Row>(
      `SELECT ${TEXT}, t.author IS NULL AS isOwn, t.device_id AS deviceId, ${IN_FOLDER}
       FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id
       WHERE ${where} ORDER BY t.author IS NOT NULL, t.device_id IS NOT NULL LIMIT 1`,
      values,
    );
  const { promptUuid, createdAt, text } = turn;
  const facts = { sessionId: turn.session.sessionId, agent: turn.agentId ?? "" };
  // What another device sent is known by its key.
  const same = `t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent AND t.author IS NULL
    ${record === null ? "AND t.device_id IS NULL" : ""}`;
  const row =
    find(`t.id IN (${BY_KEY})`, { turnKey, author: author ?? "" }) ??
    (promptUuid === null
      ? find(`t.created_at IS $createdAt AND t.full_text = $text AND ${same}`, { ...facts, createdAt, text })
      : find(`t.prompt_uuid = $promptUuid AND ${same}`, { ...facts, promptUuid }));
  if (row === null) return null;
  const { parts, isOwn, writer, seq, isOver, isWaiting, cleans, ...copy } = row;
  return {
    ...copy,
    parts: decodeParts(parts),
    isOwn: isOwn === 1,
    place: writer === null ? null : { writer, seq },
    isOver: isOver === 1,
    isWaiting: isWaiting === 1,
    cleans: cleans === null ? null : JSON.parse(cleans),
  };
}

/** Says why a turn is not to be stored here. */
function keptOut(connection: Connection, { turn, turnKey, author, record, from }: Arrival): Brought["kept"] {
  const has = (sql: string, ...values: (string | Uint8Array)[]) => connection.get(sql, ...values) !== null;
  if (author !== null) {
    const isHidden = has("SELECT 1 FROM team_hidden WHERE author = ? AND turn_key = ?", author, turnKey);
    return isHidden || (from !== null && (turn.createdAt ?? "") < from) ? "unwanted" : null;
  }
  const buried: BuriedTurn = { ...turn, sessionId: turn.session.sessionId, lineIndex: -1, entryUuids: [] };
  const isUnshared = record === null && has("SELECT 1 FROM team_unshared WHERE turn_key = ?", turnKey);
  if (isUnshared || isGone(connection, turnKey) || isBuried(connection, buried, "for good")) return "gone";
  // One that was pruned, or that says the same as a forgotten one, stays with the others: that may be another.
  return isForgotten(connection, buried) ? "unwanted" : null;
}

/** Whether all devices of the user are to forget a turn. */
export function isGone(connection: Connection, turnKey: Uint8Array): boolean {
  return connection.get("SELECT 1 FROM folder_gone WHERE turn_key = lower(hex(?))", turnKey) !== null;
}
