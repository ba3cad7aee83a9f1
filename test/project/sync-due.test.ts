import { expect, test } from "bun:test";
import { isSyncDue, noteSyncDue } from "../../src/project/queue.ts";
import { tempDir } from "../store/builders.ts";

const at = (time: string) => new Date(`2026-03-01T${time}Z`);

test("a sync is due from its time on, until none waits", () => {
  using dir = tempDir();
  expect(isSyncDue(dir.path, at("12:00:00"))).toBe(false);
  noteSyncDue(dir.path, at("12:00:30"));
  expect(isSyncDue(dir.path, at("12:00:29"))).toBe(false);
  expect(isSyncDue(dir.path, at("12:00:30"))).toBe(true);
  expect(isSyncDue(dir.path, at("23:00:00"))).toBe(true);
  noteSyncDue(dir.path, at("23:00:01"));
  expect(isSyncDue(dir.path, at("23:00:00"))).toBe(false);
  noteSyncDue(dir.path, null);
  noteSyncDue(dir.path, null);
  expect(isSyncDue(dir.path, at("23:00:02"))).toBe(false);
});

test("a sync that waits for a clock that was set back is due", () => {
  using dir = tempDir();
  noteSyncDue(dir.path, at("12:00:00"));
  expect(isSyncDue(dir.path, at("11:00:00"))).toBe(false);
  expect(isSyncDue(dir.path, at("10:59:59"))).toBe(true);
});
