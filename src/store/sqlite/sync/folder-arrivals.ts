import { cleaned } from "../../../redact/gate.ts";
import type { FolderApplied, FolderMark, FolderRecord } from "../../folder.ts";
import type { HookCallFacts } from "../../journal.ts";
import type { Connection } from "../connection/connection.ts";
import { writeKeywords } from "../write/chunks.ts";
import { nextSeq, readSelf } from "./folder-self.ts";
import { type ArrivalState, acceptTurn, arrivingTogether, isGone } from "./write-turn.ts";

type TurnRecord = Extract<FolderRecord, { kind: "turn" }>;

/** Stores records of a writer. The caller runs it in a transaction. */
export function applyRecords(
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

/** Stores a received turn, or keeps the local one. */
function take(
  connection: Connection,
  { writer, record, until }: { writer: string; record: TurnRecord; until: string },
  { together, applied }: { together: ArrivalState; applied: FolderApplied },
): void {
  const { key, seq, cleans, turn } = record;
  const brought = { turn, record: { writer, seq, cleans }, turnKey: Buffer.from(key, "hex"), until };
  const taken = acceptTurn(connection, { ...brought, author: null, deviceId: null, from: null }, together);
  if (taken === null || (taken.verdict !== "new" && taken.verdict !== "there")) return;
  const { verdict, id, copy } = taken;
  applied[verdict === "new" ? "added" : "updated"]++;
  applyMarks(connection, id, key);
  // A turn from a local transcript stays this memory's own; the record is the same turn.
  if (copy !== null && copy.home === null && copy.deviceId === null) return;
  hold(connection, id, writer, { ...record, turn: taken.turn });
  // If the current rules removed something from the turn, this memory sends the cleaned turn instead of theirs.
  if (!copy?.isWaiting && isText(connection, id, taken.turn.text))
    connection.run("DELETE FROM folder_dirty WHERE turn_id = ?", id);
}

/** Records that another writer is responsible for a turn. */
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

/** The writer's predecessor, whose turns it took over, may be unknown here. */
function nameWriter(connection: Connection, { writer, name }: { writer: string; name: string }): void {
  connection.run(
    `INSERT INTO folder_writers (writer, device_id, name, is_over) VALUES (?1, ?1, ?2, 1)
     ON CONFLICT (writer) DO UPDATE SET name = excluded.name WHERE name = ''`,
    writer,
    name,
  );
}

/** Marks of turns themselves, as in `turn_marks`. */
const OF_TURNS: ReadonlySet<string> = new Set(["mute", "pin", "undone"]);
const OF_ANSWER = "answer:";

type Answer = FolderMark["answer"];

interface MarkRow {
  mark: string;
  isOn: number;
  time: string;
  writer: string;
  answer: string | null;
}

/** Numbers the changed marks of a turn, and returns them as records. */
export function noteMarks(connection: Connection, turnId: number, key: string): FolderRecord[] {
  const known = new Map(knownMarks(connection, key).map((row) => [row.mark, row]));
  const present = new Map<string, Answer>([
    ...turnMarks(connection, turnId),
    ...answerMarks(connection, turnId),
  ]);
  const changed: { mark: string; isOn: boolean; answer: Answer }[] = [];
  for (const [mark, answer] of present) {
    const row = known.get(mark);
    if (row?.isOn !== 1 || row.answer !== jsonOf(answer)) changed.push({ mark, isOn: true, answer });
  }
  for (const [mark, { isOn, writer }] of known)
    if (isOn === 1 && !present.has(mark) && (writer === "" || OF_TURNS.has(mark)))
      changed.push({ mark, isOn: false, answer: null });
  return changed.map((change) => {
    const time = later(connection.now(), known.get(change.mark)?.time);
    return note(connection, key, { ...change, time });
  });
}

function note(connection: Connection, key: string, mark: FolderMark): FolderRecord {
  saveMark(connection, key, mark, "");
  const seq = nextSeq(connection);
  connection.run(
    "INSERT OR REPLACE INTO folder_items (seq, turn_key, mark, digest) VALUES (?, ?, ?, '')",
    seq,
    key,
    mark.mark,
  );
  return { seq, kind: "mark", key, mark };
}

/** Numbers the marks without a segment again, and returns them as records. */
export function waitingMarks(connection: Connection): FolderRecord[] {
  const rows = connection.all<Omit<MarkRow, "writer"> & { seq: number; key: string }>(
    `SELECT i.seq, i.turn_key AS key, m.mark, m.is_on AS isOn, m.time, m.answer FROM folder_items i
       JOIN folder_marks m ON m.turn_key = i.turn_key AND m.mark = i.mark WHERE i.mark <> '' AND i.segment IS NULL
       ORDER BY i.seq`,
  );
  return rows.map(({ seq: former, key, mark, isOn, time, answer }) => {
    const seq = nextSeq(connection);
    connection.run("UPDATE folder_items SET seq = ? WHERE seq = ?", seq, former);
    return {
      seq,
      kind: "mark",
      key,
      mark: { mark, isOn: isOn === 1, time, answer: answer === null ? null : JSON.parse(answer) },
    };
  });
}

/** Stores a mark of another device if it is later than the known one. */
function takeMark(connection: Connection, writer: string, key: string, given: FolderMark): void {
  const { mark, time } = given;
  if (!OF_TURNS.has(mark) && !mark.startsWith(OF_ANSWER)) return;
  const known = knownMarks(connection, key).find((row) => row.mark === mark);
  const self = readSelf(connection)?.writer ?? "";
  if (known !== undefined && !isLater([time, writer], [known.time, known.writer || self])) return;
  saveMark(connection, key, { ...given, answer: cleaned(given.answer) }, writer);
  connection.run("DELETE FROM folder_items WHERE turn_key = ? AND mark = ?", key, mark);
  const turn = connection.get<{ id: number }>(
    `SELECT turn_id AS id FROM folder_turns WHERE turn_key = ?1
     UNION ALL SELECT turn_id FROM folder_items WHERE turn_key = ?1 AND mark = '' AND turn_id IS NOT NULL`,
    key,
  );
  if (turn !== null) applyMarks(connection, turn.id, key);
}

/** Applies the known marks to a turn. */
function applyMarks(connection: Connection, turnId: number, key: string): void {
  for (const { mark, isOn, time, writer, answer } of knownMarks(connection, key)) {
    if (OF_TURNS.has(mark)) {
      if (isOn === 1)
        connection.run(
          `INSERT INTO turn_marks (turn_id, kind, time) SELECT ?1, ?2, ?3 WHERE NOT EXISTS
             (SELECT 1 FROM turn_marks WHERE turn_id = ?1 AND kind = ?2)`,
          turnId,
          mark,
          time,
        );
      else connection.run("DELETE FROM turn_marks WHERE turn_id = ? AND kind = ?", turnId, mark);
    } else if (writer !== "") {
      connection.run("DELETE FROM folder_answer_marks WHERE turn_id = ? AND mark = ?", turnId, mark);
      const of: Answer = answer === null ? null : JSON.parse(answer);
      if (isOn === 1 && of !== null)
        connection.run(
          `INSERT INTO folder_answer_marks (turn_id, mark, kind, time, prompt, subject)
           VALUES ($turnId, $mark, $kind, $time, $prompt, $subject)`,
          { turnId, mark, time, ...of },
        );
    }
  }
}

function knownMarks(connection: Connection, key: string): MarkRow[] {
  return connection.all<MarkRow>(
    "SELECT mark, is_on AS isOn, time, writer, answer FROM folder_marks WHERE turn_key = ? ORDER BY mark",
    key,
  );
}

function saveMark(
  connection: Connection,
  key: string,
  { mark, isOn, time, answer }: FolderMark,
  writer: string,
): void {
  connection.run(
    `INSERT OR REPLACE INTO folder_marks (turn_key, mark, is_on, time, writer, answer)
     VALUES ($key, $mark, $isOn, $time, $writer, $answer)`,
    { key, mark, isOn, time, writer, answer: jsonOf(answer) },
  );
}

function turnMarks(connection: Connection, turnId: number): [string, Answer][] {
  return connection
    .all<{ kind: string }>("SELECT kind FROM turn_marks WHERE turn_id = ?", turnId)
    .map(({ kind }): [string, Answer] => [kind, null]);
}

// Marks of answers are identified by time and place, because the number of an answer is local.
function answerMarks(connection: Connection, turnId: number): [string, Answer][] {
  return connection
    .all<NonNullable<Answer> & Pick<HookCallFacts, "time" | "sessionId">>(
      `SELECT m.kind, h.time, h.session_id AS sessionId, h.prompt, h.subject FROM answer_marks m
       JOIN hook_calls h ON h.id = m.call_id WHERE m.turn_id = ? ORDER BY m.call_id`,
      turnId,
    )
    .map(({ kind, time, sessionId, prompt, subject }): [string, Answer] => {
      const call = Bun.hash(`${time}\n${sessionId ?? ""}`).toString(36);
      return [OF_ANSWER + call, { kind, prompt, subject }];
    });
}

function jsonOf(answer: Answer): string | null {
  return answer === null ? null : JSON.stringify(answer);
}

function later(now: string, known: string | undefined): string {
  if (known === undefined || known < now) return now;
  return new Date(Date.parse(known) + 1).toISOString();
}

function isLater(a: readonly [string, string], b: readonly [string, string]): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
}
