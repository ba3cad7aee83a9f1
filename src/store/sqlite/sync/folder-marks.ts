import { cleaned } from "../../../redact/gate.ts";
import type { FolderMark, FolderRecord } from "../../folder.ts";
import type { HookCallFacts } from "../../journal.ts";
import type { Connection } from "../connection/connection.ts";
import { nextSeq, selfOf } from "./folder-self.ts";

/** Marks of a turn itself, as `turn_marks` has them. */
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

/** Numbers the marks of a turn that changed here, and returns them as records. */
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

/** Numbers the marks anew that are in no segment, and returns them as records. */
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

/** Takes a mark of another device, if it is later than what is known. */
export function takeMark(connection: Connection, writer: string, key: string, given: FolderMark): void {
  const { mark, time } = given;
  if (!OF_TURNS.has(mark) && !mark.startsWith(OF_ANSWER)) return;
  const known = knownMarks(connection, key).find((row) => row.mark === mark);
  const self = selfOf(connection)?.writer ?? "";
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

/** Gives a turn the marks that are known of it. */
export function applyMarks(connection: Connection, turnId: number, key: string): void {
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

// An answer is known by when and where it was given: its number is one of this memory.
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
