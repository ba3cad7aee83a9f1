import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { antigravity } from "../../../src/agents/antigravity/agent.ts";
import { readAll } from "../../support/read-turns.ts";
import { ingested, sourcesOf, withHome } from "../sources.ts";
import { installAntigravity, PROJECT, SESSIONS, titlesIn } from "./home.ts";

const [FIRST = ""] = SESSIONS;

async function transcriptOf(home: string, session: string): Promise<string> {
  const sources = await sourcesOf(antigravity, home, PROJECT);
  return sources.find((source) => source.includes(session)) ?? "";
}

test("a short transcript is not read beside its full one, and says the same without it", () =>
  withHome(async (home) => {
    installAntigravity(home);
    const full = await transcriptOf(home, FIRST);
    const short = join(dirname(full), "transcript.jsonl");
    expect([basename(full), antigravity.stampOf(short)]).toEqual(["transcript_full.jsonl", null]);
    const before = await readAll(full);
    const both = await ingested([full, short]);
    rmSync(full);
    expect(await transcriptOf(home, FIRST)).toBe(short);
    const after = await readAll(short);
    expect(after.turns.map(({ text }) => text)).toEqual(before.turns.map(({ text }) => text));
    // Both have the same identities, so none of them is stored twice.
    expect(both.turns?.length).toBe(before.turns.length);
  }));

test("a database of titles that is damaged, empty or newer costs the title alone", () =>
  withHome(async (home) => {
    installAntigravity(home);
    const source = await transcriptOf(home, FIRST);
    const titled = await readAll(source);
    for (const bytes of ["", "not a database", readFileSync(titlesIn(home)).subarray(0, 4096)]) {
      writeFileSync(titlesIn(home), bytes);
      const { last, turns } = await readAll(source);
      expect([turns.length, last.sessions.map(({ title }) => title)]).toEqual([titled.turns.length, [null]]);
    }
  }));

test.each([
  [
    "computes",
    "CREATE VIEW conversation_summaries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT '' AS conversation_id, i AS title FROM n",
  ],
  ["has no index of", "CREATE TABLE conversation_summaries AS SELECT * FROM kept"],
])("a database that %s its titles costs the title alone", (_, sql) =>
  withHome(async (home) => {
    installAntigravity(home);
    const source = await transcriptOf(home, FIRST);
    const titled = await readAll(source);
    expect(titled.last.sessions.map(({ title }) => title)).toEqual(["The dome stops at 270"]);
    using database = new Database(titlesIn(home));
    database.run("ALTER TABLE conversation_summaries RENAME TO kept");
    database.run(sql);
    database.close();
    const { last, turns } = await readAll(source);
    expect([turns.length, last.sessions.map(({ title }) => title)]).toEqual([titled.turns.length, [null]]);
  }),
);

test("a conversation of which nothing says its directory belongs where its calls worked", () =>
  withHome(async (home) => {
    installAntigravity(home);
    const cli = join(home, ".gemini/antigravity-cli");
    for (const name of ["history.jsonl", "log"]) rmSync(join(cli, name), { recursive: true });
    const found = await sourcesOf(antigravity, home, PROJECT);
    expect(found.filter((source) => SESSIONS.some((id) => source.includes(id))).length).toBe(SESSIONS.length);
    expect(await sourcesOf(antigravity, home, "/home/dev/planetarium")).toEqual([]);
  }));
