import type { Cure } from "../../../domain.ts";
import { type Clean, cleaned } from "../../../redact/gate.ts";
import type { FolderApplied, FolderCleaning, FolderRecord } from "../../folder.ts";
import { digestOf } from "../../identity.ts";
import type { TeamTurn } from "../../team.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { isForgotten } from "../forget/tombstones.ts";
import { curesIn, writeCures } from "../turns/cures.ts";
import { TEXT, type TextRow } from "../turns/texts.ts";
import { KeywordQueue, writeKeywords } from "../write/keywords.ts";
import { counting } from "./arrival.ts";
import { applyMarks, takeMark } from "./folder-marks.ts";
import { selfOf } from "./folder-self.ts";
import { arriving, mayTravel } from "./rules.ts";
import { modelsOf } from "./team-arrivals.ts";
import { type Arriving, writeArrived } from "./write-turn.ts";

type TurnRecord = Extract<FolderRecord, { kind: "turn" }>;

/** Stores records of a writer. The caller runs it in a transaction. */
export function apply(
  connection: Connection,
  writer: string,
  records: readonly FolderRecord[],
  until: string,
): FolderApplied {
  const together = { models: modelsOf(connection), keywords: new KeywordQueue() };
  const applied = { added: 0, updated: 0 };
  for (const record of records) {
    if (isGone(connection, record.key)) continue;
    if (record.kind === "mark") {
      takeMark(connection, writer, record.key, record.mark);
      continue;
    }
    const stored = take(connection, { writer, record, until }, together);
    if (stored !== null) applied[stored]++;
  }
  writeKeywords(connection, together.keywords);
  return applied;
}

interface Arrival {
  writer: string;
  record: TurnRecord;
  until: string;
}

/** Stores a turn, or settles it with what is here. Returns what it was if it was stored. */
function take(connection: Connection, arrival: Arrival, together: Arriving): "added" | "updated" | null {
  const { writer, record, until } = arrival;
  const turn = arriving(record.turn, until);
  if (turn === null) return null;
  const here = copyHere(connection, record.key, turn);
  if (here === null ? isPruned(connection, turn) : !counts(connection, here, writer, record)) return null;
  const waits = here !== null && isWaiting(connection, here.id);
  const origin = { author: null, deviceId: here?.deviceId ?? null, turnKey: null };
  const id = writeArrived(connection, { turn, known: here, origin }, together);
  writeCures(connection, id, travelling(record.cures));
  applyMarks(connection, id, record.key);
  // What its own transcript brought stays this memory's: it is the same turn.
  if (here === null || here.home !== null || here.deviceId !== null) {
    hold(connection, id, writer, { ...record, turn });
    // What today's rules took out of it is put from here, in place of theirs.
    if (!waits && isText(connection, id, turn.text))
      connection.run("DELETE FROM folder_dirty WHERE turn_id = ?", id);
  }
  return here === null ? "added" : "updated";
}

/** Notes that a turn is another writer's to put. */
function hold(connection: Connection, id: number, writer: string, record: TurnRecord): void {
  const { key, seq, home, cleans, turn } = record;
  if (home !== null) nameWriter(connection, home);
  connection.run(
    `INSERT INTO folder_turns (turn_id, turn_key, home, holder, seq, text_hash, cleans)
     VALUES ($id, $key, $home, $writer, $seq, $hash, $cleans)
     ON CONFLICT (turn_id) DO UPDATE SET home = excluded.home, holder = excluded.holder, seq = excluded.seq,
       text_hash = excluded.text_hash, cleans = excluded.cleans`,
    {
      id,
      key,
      writer,
      seq,
      home: home?.writer ?? writer,
      hash: textHash(turn.text),
      cleans: cleans && JSON.stringify(cleans),
    },
  );
  connection.run("DELETE FROM folder_items WHERE turn_key = ? AND mark = ''", key);
}

function isText(connection: Connection, turnId: number, text: string): boolean {
  return connection.get("SELECT 1 FROM turns WHERE id = ? AND full_text = ?", turnId, text) !== null;
}

/** Whether something of a turn changed here that was not looked at yet. */
function isWaiting(connection: Connection, turnId: number): boolean {
  return connection.get("SELECT 1 FROM folder_dirty WHERE turn_id = ?", turnId) !== null;
}

/** A copy of one's own turn, from wherever it came. */
interface Copy extends TextRow {
  /** The device of a team that pushed it. */
  deviceId: string | null;
  home: string | null;
  holder: string | null;
  seq: number | null;
  cleans: string | null;
  /** The number of this memory's own record of it. */
  ownSeq: number | null;
}

function copyHere(connection: Connection, key: string, turn: TeamTurn): Copy | null {
  const columns = `${TEXT}, t.device_id AS deviceId, f.home, f.holder, f.seq, f.cleans,
    (SELECT i.seq FROM folder_items i WHERE i.turn_id = t.id AND i.mark = '') AS ownSeq
    FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id`;
  const byKey = connection.get<Copy>(
    `SELECT ${columns} WHERE t.id IN (SELECT turn_id FROM folder_turns WHERE turn_key = $key
       UNION ALL SELECT turn_id FROM folder_items WHERE turn_key = $key AND mark = ''
       UNION ALL SELECT id FROM turns WHERE coalesce(author, '') = '' AND turn_key = unhex($key))`,
    { key },
  );
  if (byKey !== null) return byKey;
  const same = "t.session_id = $sessionId AND coalesce(t.agent_id, '') = $agent AND t.author IS NULL";
  const facts = { sessionId: turn.session.sessionId, agent: turn.agentId ?? "" };
  return turn.promptUuid === null
    ? connection.get<Copy>(
        `SELECT ${columns} WHERE t.created_at IS $createdAt AND t.full_text = $text AND ${same}`,
        {
          ...facts,
          createdAt: turn.createdAt,
          text: turn.text,
        },
      )
    : connection.get<Copy>(`SELECT ${columns} WHERE t.prompt_uuid = $promptUuid AND ${same}`, {
        ...facts,
        promptUuid: turn.promptUuid,
      });
}

/** Whether what arrives counts more than what is here: a later record of the same writer, or a longer copy. */
function counts(connection: Connection, here: Copy, writer: string, record: TurnRecord): boolean {
  const { seq, turn, cleans } = record;
  const cleaned: FolderCleaning | null = here.cleans === null ? null : JSON.parse(here.cleans);
  if (cleaned?.writer === writer && seq <= cleaned.seq) return false;
  if (cleans !== null && isOf(connection, here, cleans)) return true;
  if (here.holder === writer) return seq > (here.seq ?? 0);
  if (here.holder !== null && isOver(connection, here.holder)) return true;
  const copy = { id: here.id, text: here.text, parts: decodeParts(here.parts) };
  return counting(copy, turn) === "there" || (here.home === null && here.deviceId !== null);
}

/** Whether what is here is the record that a cleaned one replaces. */
function isOf(connection: Connection, here: Copy, { writer, seq }: FolderCleaning): boolean {
  if (here.holder !== null) return here.holder === writer && (here.seq ?? 0) <= seq;
  return here.home === null && selfOf(connection)?.writer === writer && (here.ownSeq ?? 0) <= seq;
}

/** Hash of a turn's text, hex. */
export function textHash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}

function isPruned(connection: Connection, turn: TeamTurn): boolean {
  return isForgotten(connection, {
    ...turn,
    sessionId: turn.session.sessionId,
    lineIndex: -1,
    entryUuids: [],
  });
}

function isGone(connection: Connection, key: string): boolean {
  return connection.get("SELECT 1 FROM folder_gone WHERE turn_key = ?", key) !== null;
}

function isOver(connection: Connection, writer: string): boolean {
  return connection.get("SELECT 1 FROM folder_writers WHERE writer = ? AND is_over", writer) !== null;
}

/** A device whose turns another one took over may never have been seen here. */
function nameWriter(connection: Connection, { writer, name }: { writer: string; name: string }): void {
  connection.run(
    `INSERT INTO folder_writers (writer, device_id, name, is_over) VALUES (?1, ?1, ?2, 1)
     ON CONFLICT (writer) DO UPDATE SET name = excluded.name WHERE name = ''`,
    writer,
    name,
  );
}

/** Returns a turn's cures as they travel, by today's rules. */
export function travellingCures(connection: Connection, turnId: number): Clean<Cure>[] {
  return travelling(curesIn(connection, turnId));
}

/** Returns cures without what stays on the machine: as for files, paths outside of the project. */
function travelling(cures: readonly Cure[]): Clean<Cure>[] {
  const within = cures.map(({ change, ...cure }) => ({
    ...cure,
    change: change !== null && mayTravel(change.path) ? change : null,
  }));
  // One of both says what to do.
  return cleaned({ cures: within.filter(({ call, change }) => call !== null || change !== null) }).cures;
}

/** Returns the hash of what a record says of a turn. */
export function recordDigest(turn: TeamTurn, cures: readonly Cure[]): string {
  const digest = Buffer.from(digestOf(turn)).toString("hex");
  if (cures.length === 0) return digest;
  return new Bun.CryptoHasher("sha256").update(`${digest}\n${JSON.stringify(cures)}`).digest("hex");
}
