import type { Cure } from "../../../domain.ts";
import { type Clean, cleaned } from "../../../redact/gate.ts";
import type { FolderApplied, FolderRecord } from "../../folder.ts";
import { digestOf } from "../../identity.ts";
import type { TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { curesIn, writeCures } from "../turns/cures.ts";
import { writeKeywords } from "../write/chunks.ts";
import { acceptTurn, isGone } from "./arrival.ts";
import { applyMarks, takeMark } from "./folder-marks.ts";
import { mayTravel } from "./rules.ts";
import { type Arriving, arrivingTogether } from "./write-turn.ts";

type TurnRecord = Extract<FolderRecord, { kind: "turn" }>;

/** Stores records of a writer. The caller runs it in a transaction. */
export function apply(
  connection: Connection,
  writer: string,
  records: readonly FolderRecord[],
  until: string,
): FolderApplied {
  const together = arrivingTogether(connection);
  const applied = { added: 0, updated: 0 };
  for (const record of records) {
    if (record.kind === "turn") take(connection, { writer, record, until }, { together, applied });
    else if (!isGone(connection, Buffer.from(record.key, "hex")))
      takeMark(connection, writer, record.key, record.mark);
  }
  writeKeywords(connection, together.keywords);
  return applied;
}

/** Stores a turn, or leaves what is here. */
function take(
  connection: Connection,
  { writer, record, until }: { writer: string; record: TurnRecord; until: string },
  { together, applied }: { together: Arriving; applied: FolderApplied },
): void {
  const { key, seq, cleans, turn } = record;
  const brought = { turn, record: { writer, seq, cleans }, turnKey: Buffer.from(key, "hex"), until };
  const taken = acceptTurn(connection, { ...brought, author: null, deviceId: null, from: null }, together);
  if (taken === null || (taken.verdict !== "new" && taken.verdict !== "there")) return;
  const { verdict, id, copy } = taken;
  applied[verdict === "new" ? "added" : "updated"]++;
  writeCures(connection, id, travelling(record.cures));
  applyMarks(connection, id, key);
  // What its own transcript brought stays this memory's: it is the same turn.
  if (copy !== null && copy.home === null && copy.deviceId === null) return;
  hold(connection, id, writer, { ...record, turn: taken.turn });
  // What today's rules took out of it is put from here, in place of theirs.
  if (!copy?.isWaiting && isText(connection, id, taken.turn.text))
    connection.run("DELETE FROM folder_dirty WHERE turn_id = ?", id);
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

/** Hash of a turn's text, hex. */
export function textHash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
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
