import type { Database } from "bun:sqlite";
import { keywordText } from "../../../text/keywords.ts";

/** Each index of words, and the rows that it must hold. */
const INDEXES = [
  { index: "turn_keywords", rows: "turns", text: "full_text" },
  { index: "chunk_keywords", rows: "chunks", text: "content" },
] as const;
/** Rows of each index of which a word is looked up. */
const SOUGHT_ROWS = 20;
/** Characters of such a row's start, and a word in it that no rule of the index cuts or joins. */
const START_CHARS = 500;
const WORD = /(?<=^|\s)[a-z]{3,20}(?=\s)/;

/**
 * Lists what is wrong with the index of words, which SQLite's own check of a file sees in part: rows without their words,
 * words of rows that are gone, and words that are not found.
 */
export function wordIndexProblems(db: Database): string[] {
  return INDEXES.flatMap((each) =>
    [damage, missing, extra, lost].flatMap((look) => {
      try {
        return look(db, each);
      } catch (error) {
        return [`${each.index}: ${error instanceof Error ? error.message : String(error)}`];
      }
    }),
  );
}

/** Makes the index of words anew from the stored texts, in one transaction. */
export function rebuildWordIndex(db: Database): void {
  db.transaction(() => {
    for (const { index } of INDEXES) makeEmpty(db, index);
    fillWordIndex(db);
  })();
}

/** Indexes the words of all stored texts. The index must be empty. */
export function fillWordIndex(db: Database): void {
  for (const { index, rows, text } of INDEXES) {
    const insert = db.query(`INSERT INTO ${index} (rowid, text) VALUES (?, ?)`);
    const stored = db.query<{ id: number; text: string }, []>(`SELECT id, ${text} AS text FROM ${rows}`);
    for (const { id, text: words } of stored.iterate()) insert.run(id, keywordText(words));
  }
}

/** To drop a damaged index works where to delete its rows fails. */
function makeEmpty(db: Database, index: string): void {
  const made = db.query<{ sql: string }, [string]>("SELECT sql FROM sqlite_master WHERE name = ?").get(index);
  if (made === null) return;
  db.run(`DROP TABLE ${index}`);
  db.run(made.sql);
}

type Indexed = (typeof INDEXES)[number];

function damage(db: Database, { index }: Indexed): string[] {
  return db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${index})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((row) => row !== "ok");
}

function missing(db: Database, { index, rows }: Indexed): string[] {
  return counted(db, `${rows} WHERE id NOT IN (SELECT id FROM ${index}_docsize)`, `${rows} have no words`);
}

function extra(db: Database, { index, rows }: Indexed): string[] {
  return counted(
    db,
    `${index}_docsize WHERE id NOT IN (SELECT id FROM ${rows})`,
    `${rows} with words are gone`,
  );
}

function counted(db: Database, from: string, problem: string): string[] {
  const count = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
  return count > 0 ? [`${count} ${problem}`] : [];
}

/** Looks for a word of each of the newest rows, ranked as every search is. */
function lost(db: Database, { index, rows, text }: Indexed): string[] {
  const newest = db
    .query<{ id: number; text: string }, [number]>(
      `SELECT id, substr(${text}, 1, ${START_CHARS}) AS text FROM ${rows} ORDER BY id DESC LIMIT ?`,
    )
    .all(SOUGHT_ROWS);
  const find = db.query<{ score: number }, [string, number]>(
    `SELECT bm25(${index}) AS score FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`,
  );
  const count = newest.filter(({ id, text: start }) => {
    const word = WORD.exec(start)?.[0];
    return word !== undefined && find.get(`"${word}"`, id) === null;
  }).length;
  return count > 0 ? [`words of ${count} ${rows} are not found`] : [];
}
