import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { tryLock, waitLock } from "../../src/store/file/lock.ts";
import { tempDir } from "./builders.ts";

const HOLDER = `import { tryLock } from ${JSON.stringify(join(import.meta.dir, "../../src/store/file/lock.ts"))};
console.log(tryLock(process.argv[1]) === null ? "refused" : "held");
setTimeout(() => {}, Number(process.argv[2]));`;

function hold(file: string, ms: number) {
  return Bun.spawn([process.execPath, "-e", HOLDER, file, String(ms)], { stdout: "pipe" });
}

async function firstLine(run: ReturnType<typeof hold>): Promise<string> {
  const { value } = await run.stdout.getReader().read();
  return new TextDecoder().decode(value).trim();
}

test("is held by one at a time within a process", () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const lock = tryLock(file);
  expect(tryLock(file)).toBeNull();
  expect(waitLock(file, 20)).toBeNull();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  lock?.release();
  const again = tryLock(file);
  expect(again).not.toBeNull();
  again?.release();
});

test("is held by one process at a time, and free once that is killed", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const holder = hold(file, 60_000);
  expect(await firstLine(holder)).toBe("held");
  expect(tryLock(file)).toBeNull();
  const second = hold(file, 0);
  expect(await firstLine(second)).toBe("refused");
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = waitLock(file, 5000);
  expect(lock).not.toBeNull();
  lock?.release();
});

test("is waited for", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const holder = hold(file, 200);
  expect(await firstLine(holder)).toBe("held");
  const lock = waitLock(file, 10_000);
  expect(lock).not.toBeNull();
  lock?.release();
  await holder.exited;
});

test("says where it cannot be made", () => {
  using dir = tempDir();
  expect(() => tryLock(join(dir.path, "none", "x.lock"))).toThrow(
    expect.objectContaining({ code: "not_writable" }),
  );
});
