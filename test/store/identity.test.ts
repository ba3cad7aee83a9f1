import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenMode, openDatabase } from "../../src/store/sqlite/file/open.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-identity-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, "mementor.db");
async function open(mode: OpenMode, id?: string, adopt = false): Promise<void> {
  const identity = id === undefined ? undefined : { id, adopt };
  (await openDatabase({ file: file(), mode, busyTimeoutMs: 0, now: () => "", identity })).close();
}

test("a database opens for the memory that it was made for, and for no other", async () => {
  await open("create", "a");
  await open("readonly", "a");
  await open("readwrite");
  await expect(open("readonly", "b")).rejects.toThrow("was not made here");
  await expect(open("create", "b")).rejects.toThrow("was not made here");
});

test("a database without an identity belongs to nobody until it is adopted", async () => {
  await open("create");
  await expect(open("readonly", "a")).rejects.toThrow("was not made here");
  await open("create", "a", true);
  await open("readonly", "a");
});

test("a database of the Rust tool is migrated only when it is adopted", async () => {
  copyFileSync(join(import.meta.dir, "../../fixtures/databases/rust-v4.db"), file());
  const before = await Bun.file(file()).bytes();
  await expect(open("create", "a")).rejects.toThrow("was not made here");
  expect(await Bun.file(file()).bytes()).toEqual(before);
  await open("create", "a", true);
  await open("readonly", "a");
});
