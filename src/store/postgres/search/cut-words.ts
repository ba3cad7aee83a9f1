import { Database } from "bun:sqlite";

/** Returns the words of each text, in order, cut and stemmed by SQLite's own tokenizer as in the index of its files. */
export function cutWords(texts: readonly string[]): string[][] {
  const found: string[][] = texts.map(() => []);
  if (texts.length === 0) return found;
  using db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE texts USING fts5(text, content = '', tokenize = 'porter unicode61')");
  db.run("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)");
  const insert = db.query("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  db.transaction(() => {
    for (const [i, text] of texts.entries()) insert.run(i + 1, text);
  })();
  const rows = db.query<[string, number, number], []>("SELECT term, doc, offset FROM words").values();
  for (const [word, doc, offset] of rows as [string, number, number][]) {
    const words = found[doc - 1];
    if (words !== undefined) words[offset] = word;
  }
  return found;
}

/** A word as a text of `tsvector` or `tsquery` has it: with its project, quoted. */
export function lexemeOf(project: number, word: string): string {
  return `'${project}:${word.replace(/['\\]/g, "$&$&")}'`;
}
