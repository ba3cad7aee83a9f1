import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSystem, type System } from "../../src/io/system.ts";
import { SCRATCH } from "../support/scratch.ts";

const nothing = { rename: () => {}, remove: () => {}, create: () => {}, pause: () => {} };
const linux = createSystem("linux", nothing);
const windows = createSystem("win32", nothing);

test.each([
  [linux, "/a/b", "/a", true],
  [linux, "/a", "/a", true],
  [linux, "/a/", "/a", true],
  [linux, "/a2/b", "/a", false],
  [linux, "/a/../b", "/a", false],
  [linux, "/a/..b", "/a", true],
  [linux, "/A/b", "/a", false],
  [windows, "C:\\Users\\me\\app\\.claude", "C:\\Users\\me\\app", true],
  [windows, "C:/Users/me/app/.claude", "C:\\Users\\me\\app", true],
  [windows, "c:\\users\\ME\\app\\.claude", "C:\\Users\\me\\App", true],
  [windows, "C:\\app2\\x", "C:\\app", false],
  [windows, "D:\\app\\x", "C:\\app", false],
  [windows, "\\\\server\\share\\app\\x", "\\\\server\\share\\app", true],
  [windows, "\\\\server\\other\\app\\x", "\\\\server\\share\\app", false],
])("%p: %s in %s is %p", (system, path, directory, expected) => {
  expect(system.isWithin(path, directory)).toBe(expected);
});

test.each([
  ["/a", true, true],
  ["C:\\a", false, true],
  ["c:/a", false, true],
  ["\\\\server\\share", false, true],
  ["C:a", false, false],
  ["a/b", false, false],
  ["", false, false],
])("%p is absolute on Linux: %p, on Windows: %p", (path, onLinux, onWindows) => {
  expect([linux.isAbsolute(path), windows.isAbsolute(path)]).toEqual([onLinux, onWindows]);
});

/** Renames that fail so often as the file is in use, then work; what was done is noted. */
function machine(failures: (from: string, to: string) => string | null) {
  const done: string[] = [];
  const actions = {
    rename(from: string, to: string) {
      const code = failures(from, to);
      done.push(`${from} > ${to.replace(/\.[0-9a-f]{8}\.tmp$/, ".aside")}${code === null ? "" : ` ${code}`}`);
      if (code !== null) throw Object.assign(new Error(code), { code });
    },
    remove: (path: string) => actions.rename(path, "nowhere"),
    create: (path: string) => actions.rename("nothing", path),
    pause: (ms: number) => void done.push(`${ms} ms`),
  };
  return { done, actions };
}

const WORK: [name: string, work: (system: System) => void, done: string][] = [
  ["renaming", (system) => system.rename("a", "b"), "a > b"],
  ["removing", (system) => system.remove("a"), "a > nowhere"],
  ["creating", (system) => system.create("a"), "nothing > a"],
];

describe.each(WORK)("%s", (_name, work, step) => {
  test.each(["EPERM", "EACCES", "EBUSY"])("waits on Windows while the file is open (%s)", (code) => {
    let left = 2;
    const { done, actions } = machine(() => (left-- > 0 ? code : null));
    work(createSystem("win32", actions));
    expect(done).toEqual([`${step} ${code}`, "5 ms", `${step} ${code}`, "10 ms", step]);
  });

  test("gives up on Windows when the file stays open", () => {
    const { done, actions } = machine(() => "EBUSY");
    expect(() => work(createSystem("win32", actions))).toThrow("EBUSY");
    expect(done.filter((each) => each.endsWith("EBUSY")).length).toBe(7);
  });

  test.each([
    ["linux", "EBUSY"],
    ["darwin", "EPERM"],
    ["win32", "EEXIST"],
    ["win32", "ENOENT"],
  ] as const)("happens once on %s where it fails with %s", (platform, code) => {
    const { done, actions } = machine(() => code);
    expect(() => work(createSystem(platform, actions))).toThrow(code);
    expect(done).toEqual([`${step} ${code}`]);
  });
});

describe("replacing a file", () => {
  test("is one rename where open files can be replaced, and its error goes on", () => {
    const { done, actions } = machine(() => "EPERM");
    expect(() => createSystem("darwin", actions).replace("new", "old")).toThrow("EPERM");
    expect(done).toEqual(["new > old EPERM"]);
  });

  test("waits on Windows while somebody reads the file", () => {
    let left = 2;
    const { done, actions } = machine(() => (left-- > 0 ? "EBUSY" : null));
    createSystem("win32", actions).replace("new", "old");
    expect(done).toEqual(["new > old EBUSY", "5 ms", "new > old EBUSY", "10 ms", "new > old"]);
  });

  test("moves a running program aside on Windows", () => {
    let isFree = false;
    const { done, actions } = machine((from) => {
      if (from === "old") isFree = true;
      return isFree ? null : "EACCES";
    });
    createSystem("win32", actions).replace("new", "old");
    expect(done.slice(-2)).toEqual(["old > old.aside", "new > old"]);
  });

  test("puts it back when the new one cannot take its place", () => {
    const { done, actions } = machine((from) => (from === "new" ? "EPERM" : null));
    expect(() => createSystem("win32", actions).replace("new", "old")).toThrow("EPERM");
    expect(done.at(-1)).toEndWith("> old");
    expect(done.at(-2)).toBe("new > old EPERM");
  });

  test("does not wait for what waiting does not mend", () => {
    const { done, actions } = machine(() => "ENOENT");
    expect(() => createSystem("win32", actions).replace("new", "old")).toThrow("ENOENT");
    expect(done).toEqual(["new > old ENOENT"]);
  });
});

describe("retiring a directory", () => {
  let root = "";
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** A directory with a program that runs, and one that does not; renames to another drive fail. */
  function programs(platform: NodeJS.Platform) {
    root = mkdtempSync(join(SCRATCH, "mementor-retire-"));
    const bin = join(root, "bin");
    const runs = join(bin, "runs.exe");
    mkdirSync(join(root, "other-drive"));
    mkdirSync(join(root, "temp"));
    mkdirSync(bin);
    writeFileSync(runs, "");
    writeFileSync(join(bin, "old.exe"), "");
    const fail = (code: string) => {
      throw Object.assign(new Error(code), { code });
    };
    const system = createSystem(platform, {
      ...nothing,
      remove: (path) =>
        existsSync(runs) && (path === bin || path === runs) && platform === "win32"
          ? fail("EPERM")
          : rmSync(path, { recursive: true, force: true }),
      rename: (from, to) => (to.includes("other-drive") ? fail("EXDEV") : renameSync(from, to)),
    });
    return { system, bin };
  }

  test("moves a program that runs to the first directory that takes it", () => {
    const { system, bin } = programs("win32");
    const moved = system.retire(bin, [join(root, "other-drive"), join(root, "temp")]);
    expect(readdirSync(root).sort()).toEqual(["other-drive", "temp"]);
    expect(moved).toEqual(readdirSync(join(root, "temp")).map((name) => join(root, "temp", name)));
    expect(moved.length).toBe(1);
  });

  test("fails where no directory takes it", () => {
    const { system, bin } = programs("win32");
    expect(() => system.retire(bin, [join(root, "other-drive")])).toThrow("EPERM");
    expect(readdirSync(bin)).toEqual(["runs.exe"]);
  });

  test("is a removal elsewhere", () => {
    const { system, bin } = programs("linux");
    expect(system.retire(bin, [join(root, "temp")])).toEqual([]);
    expect(readdirSync(root).sort()).toEqual(["other-drive", "temp"]);
  });
});
