import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryLock, waitLock, withLock } from "../../src/io/lock.ts";
import { createSystem } from "../../src/io/system.ts";
import { tempDir } from "../store/builders.ts";

const LOCK = JSON.stringify(join(import.meta.dir, "../../src/io/lock.ts"));

const HOLDER = `import { tryLock } from ${LOCK};
console.log(tryLock(process.argv[1]) === null ? "refused" : "held");
if (process.argv[2] === "stay") process.stdin.resume();`;

/** Adds to a number in a file, reading and writing it anew each time. */
const COUNTER = `import { readFileSync, writeFileSync } from "node:fs";
import { withLock } from ${LOCK};
const [, file, times] = process.argv;
for (let n = 0; n < Number(times); n++)
  withLock(file + ".lock", 60_000, () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1)));`;

function run(script: string, ...args: string[]) {
  return Bun.spawn([process.execPath, "-e", script, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function firstLine(child: ReturnType<typeof run>): Promise<string> {
  const { value } = await child.stdout.getReader().read();
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

test("is held by one process at a time, and free once that process is killed", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const holder = run(HOLDER, file, "stay");
  expect(await firstLine(holder)).toBe("held");
  expect(tryLock(file)).toBeNull();
  const second = run(HOLDER, file, "leave");
  expect(await firstLine(second)).toBe("refused");
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = waitLock(file, 5000);
  expect(lock).not.toBeNull();
  lock?.release();
});

test("is not taken from a slow holder, however old its file is", () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const lock = tryLock(file);
  utimesSync(file, new Date(0), new Date(0));
  expect(tryLock(file)).toBeNull();
  expect(() => withLock(file, 0, () => "ran")).toThrow(expect.objectContaining({ code: "io" }));
  lock?.release();
  expect(withLock(file, 0, () => "ran")).toBe("ran");
});

test("a file that another version left behind is not a lock, and stays", () => {
  using dir = tempDir();
  const file = join(dir.path, "projects.json.lock");
  writeFileSync(file, "", { mode: 0o600 });
  expect(withLock(file, 0, () => "ran")).toBe("ran");
  expect([existsSync(file), statSync(file).size]).toEqual([true, 0]);
});

test("lets waiting processes work one after the other", async () => {
  using dir = tempDir();
  const file = join(dir.path, "count");
  writeFileSync(file, "0");
  const children = Array.from({ length: 4 }, () => run(COUNTER, file, "50"));
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0]);
  expect(readFileSync(file, "utf8")).toBe("200");
});

test("is free again when the work throws", () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const failing = () => {
    throw new Error("work failed");
  };
  expect(() => withLock(file, 0, failing)).toThrow("work failed");
  expect(withLock(file, 0, () => "ran")).toBe("ran");
});

/** Windows, where creating a file fails so often before it works. */
function windowsWhere(failures: number, code: string) {
  let left = failures;
  const create = (path: string) => {
    if (left-- > 0) throw Object.assign(new Error(code), { code });
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  };
  return createSystem("win32", { rename: renameSync, remove: rmSync, create, pause: () => {} });
}

test("is a real lock on Windows when a scanner had its file open for a moment", () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db.lock");
  const lock = tryLock(file, windowsWhere(3, "EBUSY"));
  expect(lock).not.toBeNull();
  expect(tryLock(file, windowsWhere(3, "EPERM"))).toBeNull();
  lock?.release();
  const again = tryLock(file, windowsWhere(3, "EPERM"));
  expect([again === null, tryLock(file)]).toEqual([false, null]);
  again?.release();
});

test.skipIf(!existsSync("/sys/kernel"))("does without where nobody may write", () => {
  expect(withLock("/sys/kernel/mementor.lock", 0, () => "ran")).toBe("ran");
});

test("fails when its directory does not exist", () => {
  using dir = tempDir();
  expect(() => tryLock(join(dir.path, "none", "x.lock"))).toThrow(
    expect.objectContaining({ code: "not_found" }),
  );
});
