import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { cursor } from "../../../src/agents/cursor/agent.ts";
import { readAll } from "../../support/read-turns.ts";
import { sourcesOf, withHome } from "../sources.ts";
import {
  change,
  conversation,
  globalIn,
  installCommandLine,
  installEditor,
  PROJECT,
  storeIn,
} from "./home.ts";

const HUGE = 40_000_000;
const DEEP = 200_000;

const textsOf = async (path: string) => (await readAll(path)).turns.map(({ text }) => text);

/** Puts a message in front of the others that a session's root names, so many times. */
function name(database: Database, blob: Buffer, times: number): void {
  const id = new Bun.CryptoHasher("sha256").update(blob).digest("hex");
  database.run("INSERT OR REPLACE INTO blobs VALUES (?, ?)", [id, blob]);
  const about = JSON.parse(
    Buffer.from(
      String(database.query<{ value: string }, []>("SELECT value FROM meta").get()?.value),
      "hex",
    ).toString(),
  );
  const root = database
    .query<{ data: Buffer }, [string]>("SELECT data FROM blobs WHERE id = ?")
    .get(about.latestRootBlobId);
  const field = Buffer.concat([Buffer.from([10, 32]), Buffer.from(id, "hex")]);
  const named = Buffer.concat([...Array.from({ length: times }, () => field), root?.data ?? Buffer.alloc(0)]);
  database.run("INSERT INTO blobs VALUES ('new', ?)", [named]);
  const described = JSON.stringify({ ...about, latestRootBlobId: "new" });
  database.run("UPDATE meta SET value = ?", [Buffer.from(described).toString("hex")]);
}

const message = (text: string) => Buffer.from(JSON.stringify({ role: "assistant", content: text }));

test.each([
  ["is huge", message("x".repeat(HUGE)), 1],
  [
    "is nested too deep",
    Buffer.from(`{"role":"assistant","content":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`),
    1,
  ],
])("a message of a session that %s costs no other", (_, blob, times) =>
  withHome(async (home) => {
    installCommandLine(home);
    const before = await textsOf(storeIn(home));
    change(storeIn(home), (database) => name(database, blob, times));
    expect(await textsOf(storeIn(home))).toEqual(before);
  }),
);

test("of messages that a session names again and again no more is read than of a long session", () =>
  withHome(async (home) => {
    installCommandLine(home);
    change(storeIn(home), (database) => name(database, message("x".repeat(30_000_000)), 1_000));
    const { lines } = (await readAll(storeIn(home))).last;
    expect(lines.total).toBeLessThan(30);
  }));

const put = (home: string, key: string, value: string) =>
  change(globalIn(home), (database) => database.run("INSERT INTO cursorDiskKV VALUES (?, ?)", [key, value]));

test.each([
  ["huge", JSON.stringify({ type: 2, text: "x".repeat(HUGE) })],
  ["nested too deep", `{"type":2,"text":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`],
])("a message of the editor that is %s costs no other", (_, value) =>
  withHome(async (home) => {
    installEditor(home);
    const path = join(globalIn(home), conversation(1));
    const before = await textsOf(path);
    expect(before.length).toBeGreaterThan(0);
    put(home, `bubbleId:${conversation(1)}:zz`, value);
    put(home, `composerData:${conversation(99)}`, value);
    expect(await textsOf(path)).toEqual(before);
    expect(await sourcesOf(cursor, home, PROJECT)).toContain(path);
  }),
);

test.each([
  ["no index", "CREATE TABLE t (key TEXT, value BLOB)"],
  ["values that are computed", "CREATE TABLE t (key TEXT UNIQUE, value BLOB AS (zeroblob(1000000000)))"],
])("a database of the editor with %s is not read", (_, table) =>
  withHome(async (home) => {
    installEditor(home);
    change(globalIn(home), (database) => {
      database.run("ALTER TABLE cursorDiskKV RENAME TO old");
      database.run(table.replace("TABLE t", "TABLE cursorDiskKV"));
      const columns = table.includes(" AS ") ? "key" : "key, value";
      database.run(`INSERT INTO cursorDiskKV (${columns}) SELECT ${columns} FROM old`);
      database.run("DROP TABLE old");
    });
    await expect(readAll(join(globalIn(home), conversation(1)))).rejects.toThrow("cannot be read");
  }),
);
