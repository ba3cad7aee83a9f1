import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenMode, openDatabase } from "../../src/store/file/open.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-identity-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, "mementor.db");
function open(mode: OpenMode, id?: string, adopt = false): void {
  const identity = id === undefined ? undefined : { id, adopt };
  openDatabase({ file: file(), mode, busyTimeoutMs: 0, now: () => "", identity }).close();
}

test("a database opens for the memory that it was made for, and for no other", () => {
  open("create", "a");
  open("readonly", "a");
  open("readwrite");
  expect(() => open("readonly", "b")).toThrow("was not made here");
  expect(() => open("create", "b")).toThrow("was not made here");
});

test("a database without an identity belongs to nobody until it is adopted", () => {
  open("create");
  expect(() => open("readonly", "a")).toThrow("was not made here");
  open("create", "a", true);
  open("readonly", "a");
});

test("a database of the Rust tool is migrated only when it is adopted", async () => {
  copyFileSync(join(import.meta.dir, "../../fixtures/databases/rust-v4.db"), file());
  const before = await Bun.file(file()).bytes();
  expect(() => open("create", "a")).toThrow("was not made here");
  expect(await Bun.file(file()).bytes()).toEqual(before);
  open("create", "a", true);
  open("readonly", "a");
});
