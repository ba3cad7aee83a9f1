import { Database } from "bun:sqlite";

/**
 * Writes secrets over their placeholders in a database, as a version that did not know them would have stored them:
 * in every column that holds text of a person or a program, and in the keyword indexes.
 */
export function letThrough(file: string, secrets: Readonly<Record<string, string>>): void {
  const db = new Database(file);
  for (const [placeholder, secret] of Object.entries(secrets)) write(db, placeholder, secret);
  for (const [index, table, column] of [
    ["turn_keywords", "turns", "full_text"],
    ["chunk_keywords", "chunks", "content"],
  ]) {
    db.run(`DELETE FROM ${index}`);
    db.run(`INSERT INTO ${index} (rowid, text) SELECT id, ${column} FROM ${table}`);
  }
  db.run("DELETE FROM meta WHERE key LIKE 'secret_%'");
  db.close();
}

const COLUMNS = [
  ["turns", "full_text"],
  ["turns", "tool_summary"],
  ["turns", "branch"],
  ["chunks", "content"],
  ["sessions", "title"],
  ["sessions", "first_prompt"],
  ["commits", "message"],
  ["pr_links", "pr_url"],
];

function write(db: Database, placeholder: string, secret: string): void {
  for (const [table, column] of COLUMNS)
    db.run(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`, [placeholder, secret]);
  for (const { path } of db.query<{ path: string }, []>("SELECT file_path AS path FROM file_mentions").all())
    db.run("UPDATE file_mentions SET file_path = replace(?, ?, ?) WHERE file_path = ?", [
      path,
      placeholder,
      secret,
      path,
    ]);
}
