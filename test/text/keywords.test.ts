import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_QUERY_TERMS } from "../../src/constants.ts";
import { composed, folded } from "../../src/text/fold.ts";
import { keywordTerms, keywordText } from "../../src/text/keywords.ts";
import { fcOptions } from "../support/fast-check.ts";

test.each([
  ["How does parseTranscript work?", ["parsetranscript", "parse", "transcript", "work"]],
  ["parse_transcript", ["parsetranscript", "parse", "transcript"]],
  ["parse-transcript", ["parsetranscript", "parse", "transcript"]],
  ["parse transcript parse", ["parse", "transcript"]],
  ["HTTPServer XMLHttpRequest", ["httpserver", "http", "server", "xmlhttprequest", "xml", "request"]],
  ["and the of it's don't", []],
  ["a b 1 木", ["木"]],
  ["移行はどう", ["移行"]],
  ["전사 파일을", ["전사", "파일"]],
  ["API를 고쳤다", ["api", "고쳤", "쳤다"]],
  ["使用SQLite存储数据的锁", ["使用", "sqlite", "sq", "lite", "存储", "储数", "数据", "锁"]],
  ["main.tsを直して", ["maints", "main", "ts", "直し"]],
  ["Größe für IŞIK ёлка", ["grosse", "isik", "елка"]],
  ["Datenbankmigration", ["datenbankmigration", "datenbank", "migration"]],
  ["", []],
])("keywordTerms(%j)", (text, expected) => {
  expect(keywordTerms(text)).toEqual(expected);
});

/** How many of the texts an OR of the query's terms finds in the index that the store has. */
function found(texts: readonly string[], query: string): string[] {
  const db = new Database(":memory:");
  db.run("create virtual table f using fts5(body, tokenize='porter unicode61')");
  for (const text of texts) db.run("insert into f values (?)", [keywordText(text)]);
  const match = keywordTerms(query)
    .map((term) => `"${term}"`)
    .join(" OR ");
  const rows = db.query("select rowid as id from f where f match ? order by rowid").all(match);
  db.close();
  return rows.map((row) => texts[(row as { id: number }).id - 1] ?? "");
}

describe("what a query finds", () => {
  const spellings = [
    "we call parseTranscript here",
    "parse_transcript()",
    "the parse-transcript step",
    "parse the transcript",
  ];

  test.each([
    "parseTranscript",
    "parse_transcript",
    "parse-transcript",
    "parse transcript",
    "ParseTranscript",
  ])("%s finds all spellings", (query) =>
    expect(found([...spellings, "nothing of it"], query)).toEqual(spellings),
  );

  test.each([
    ["データベースの移行を行いました", "移行"],
    ["我们迁移了数据库", "数据库 迁移"],
    ["트랜스크립트 파일을 읽었다", "파일"],
    ["ย้ายฐานข้อมูลแล้ว", "ฐานข้อมูล"],
    ["the café was renamed", "cafe"],
    ["the cafe was renamed", "café"],
    ["API를 고쳤다", "api"],
    ["hookの設定", "hook"],
    ["使用SQLite存储数据", "sqlite"],
    ["文件锁的问题", "锁"],
    ["값을 읽는다", "값"],
    ["main.ts를 고쳐", "main.ts"],
    ["die Größe ist GROẞ", "groesse"],
    ["die Größe", "GRÖSSE"],
    ["die Strasse", "Straße"],
    ["die Konfigurationsdatei ist nicht da", "Datei"],
    ["die Datei ist nicht da", "Konfigurationsdatei"],
    ["tiếng Việt", "tieng viet"],
    ["tieng viet", "tiếng Việt"],
    ["зелёная ёлка", "ЕЛКА"],
    ["зеленая елка", "ЁЛКА"],
    ["МИГРАЦИЯ", "миграция"],
    ["IŞIK açık", "ışık"],
    ["ışık açık", "IŞIK"],
    ["İSTANBUL", "istanbul"],
    ["ＡＰＩ ﾃｽﾄ", "api"],
    ["ﾃｽﾄ", "テスト"],
    ["한글 파일".normalize("NFD"), "파일"],
    ["データ".normalize("NFD"), "データ"],
    ["we were migrating databases", "database migration"],
  ])("%s is found by %s", (text, query) => {
    expect(found([text, "unrelated words only"], query)).toEqual([text]);
  });
});

test("terms are few, distinct, and safe inside quotes; a text always finds itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const terms = keywordTerms(text);
      expect(terms.length).toBeLessThanOrEqual(MAX_QUERY_TERMS);
      expect(new Set(terms).size).toBe(terms.length);
      for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}\p{M}ー]+$/u);
      expect(keywordText(text).startsWith(text)).toBe(true);
    }),
    fcOptions(),
  );
});

test("no sign is a term in a script without spaces", () => {
  const characters = Array.from({ length: 0x3400 - 0xe00 }, (_, at) => String.fromCodePoint(0xe00 + at));
  const terms = characters.flatMap((character) => (/\p{Cn}/u.test(character) ? [] : keywordTerms(character)));
  expect(terms.filter((term) => !/^[\p{L}\p{N}\p{M}]+$/u.test(term))).toEqual([]);
});

/** The parts of words as plain expressions find them, in any script. */
function plainKeywordText(text: string): string {
  const extra = new Set<string>();
  const joined = (word: string) => folded(word.replace(/[-._]/g, ""));
  const parts = (word: string) =>
    word
      .split("_")
      .flatMap((piece) => piece.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu));
  for (const [word] of composed(text).matchAll(/(?<![\p{L}\p{N}_])[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)+/gu))
    if (word.length <= 64 && /\p{L}/u.test(word)) extra.add(joined(word));
  for (const [word] of composed(text).matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    if (!/[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_/u.test(word)) continue;
    for (const part of parts(word).map(folded)) if (part !== "" && part.length <= 64) extra.add(part);
    extra.add(joined(word));
  }
  return extra.size === 0 ? text : `${text}\n${[...extra].join(" ")}`;
}

test("keywordText finds in one pass what plain expressions find", () => {
  const pieces = [
    "a",
    "B",
    "9",
    "_",
    "-",
    ".",
    " ",
    "é",
    "É",
    "\u0301",
    "—",
    "\u{1f389}",
    "\ufe0f",
    "parse",
    "HTTP",
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(text, (given) => {
      expect(keywordText(given)).toBe(plainKeywordText(given));
    }),
    fcOptions(),
  );
  expect(keywordText("getHTTPUrl of e2e-tests.v2, \u2714\ufe0f done — snake_case")).toBe(
    "getHTTPUrl of e2e-tests.v2, \u2714\ufe0f done — snake_case\ne2etestsv2 get http url gethttpurl snake case snakecase",
  );
});

test.each([
  ["what about 9.6", ["9.6"]],
  ["python 3.11 on 10.0.0.1", ["python", "3.11", "10.0.0.1"]],
  ["1,840 dollars", ["1840", "dollars"]],
  ["12 500 rows, 1'250 and 1.500", ["12500", "rows", "1250", "1500"]],
  ["at 2026-11-22", ["2026-11-22", "2026", "11", "22"]],
])("numbers of %j are sought as %j", (text, expected) => {
  expect(keywordTerms(text)).toEqual(expect.arrayContaining(expected));
  expect(keywordTerms(text)).not.toContain("96");
});

test("a number with its thousands apart is indexed without them, too", () => {
  expect(keywordText("costs $1,840 or 2 000 000")).toBe("costs $1,840 or 2 000 000\n1840 2000000");
  expect(keywordText("lines 1200, 3400 of 1.2.345")).toBe("lines 1200, 3400 of 1.2.345");
});
