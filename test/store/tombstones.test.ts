import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tombstoneKey } from "../../src/project/tombstone-key.ts";
import { batch, forgetTurns, openStore, tempDir, turn } from "./builders.ts";

const PIN = "my pin is 4831";
const GATE = turn(0, `[User] ${PIN}`, { promptUuid: null, entryUuids: [] });
const plainHash = (kind: string, value: string) =>
  new Bun.CryptoHasher("sha256").update(`${kind}\n${value}`).digest();

function hashesOf(file: string): string[] {
  const db = new Database(file, { readonly: true });
  const rows = db.query<{ hash: string }, []>("SELECT hex(hash) AS hash FROM tombstones").all();
  db.close();
  return rows.map(({ hash }) => hash);
}

test("what was forgotten cannot be guessed from the database", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openStore(file);
  await store.ingest.write(batch([GATE]));
  await forgetTurns(store, [1]);
  await store.close();
  const guesses = [`s1\n\n[User] ${PIN}`, PIN, `s1\n\n${PIN}`].flatMap((value) =>
    ["text", "words"].map((kind) => Buffer.from(plainHash(kind, value)).toString("hex").toUpperCase()),
  );
  expect(hashesOf(file).length).toBeGreaterThan(0);
  expect(hashesOf(file).filter((hash) => guesses.includes(hash))).toEqual([]);
});

test("what an earlier version forgot stays forgotten, and its hashes are keyed once", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  await (await openStore(file)).close();
  const db = new Database(file);
  const plain = plainHash("text", `s1\n\n[User] ${PIN}`);
  db.query("INSERT INTO tombstones VALUES ('text', ?, '2026-01-01T00:00:00Z')").run(plain);
  db.close();
  for (let opened = 0; opened < 2; opened++) {
    const store = await openStore(file);
    expect((await store.ingest.write(batch([GATE], { rewritten: true }))).turnsInserted).toBe(0);
    await store.close();
  }
  expect(hashesOf(file)).not.toContain(Buffer.from(plain).toString("hex").toUpperCase());
});

test("a changed key is detected", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openStore(file);
  await store.ingest.write(batch([GATE]));
  await forgetTurns(store, [1]);
  await store.close();
  const messages: string[] = [];
  const key = new Uint8Array(32).fill(7);
  await (
    await openStore(file, { tombstoneKey: () => key, log: (message) => messages.push(message) })
  ).close();
  expect(messages).toEqual([
    "the key for forgotten turns has changed: turns forgotten earlier are not recognised",
  ]);
});

test("the user's key is created once and readable only by the user", async () => {
  using dir = tempDir();
  const home = join(dir.path, "data");
  const key = tombstoneKey(home);
  expect([key.byteLength, tombstoneKey(home)]).toEqual([32, key]);
  const { mode } = await Bun.file(join(home, "forget.key")).stat();
  expect(mode & 0o777).toBe(0o600);
  await Bun.write(join(home, "forget.key"), "short");
  expect(() => tombstoneKey(home)).toThrow("is damaged");
});
