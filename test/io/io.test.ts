import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MementorError, toMementorError } from "../../src/errors.ts";
import { ioError } from "../../src/io/errors.ts";
import { readIfExists, readOpened } from "../../src/io/read.ts";
import { ensurePrivateDir, openAtomic, writeAtomic } from "../../src/io/write.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-io-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
const failureOf = (work: () => unknown): MementorError => {
  try {
    work();
  } catch (error) {
    return toMementorError(error);
  }
  throw new Error("did not fail");
};

describe("writeAtomic", () => {
  test("creates a file with the given mode and leaves nothing else behind", () => {
    writeAtomic(join(dir, "a"), "text", { mode: 0o600 });
    expect([readFileSync(join(dir, "a"), "utf8"), modeOf(join(dir, "a")), readdirSync(dir)]).toEqual([
      "text",
      0o600,
      ["a"],
    ]);
  });

  test("keeps the mode of an existing file, whatever the umask", () => {
    writeFileSync(join(dir, "a"), "old");
    chmodSync(join(dir, "a"), 0o666);
    writeAtomic(join(dir, "a"), "new", { mode: 0o600 });
    expect([readFileSync(join(dir, "a"), "utf8"), modeOf(join(dir, "a"))]).toEqual(["new", 0o666]);
  });

  test("writes through a chain of symbolic links, to a target that need not exist", () => {
    mkdirSync(join(dir, "dotfiles"));
    symlinkSync("dotfiles/b", join(dir, "a"));
    symlinkSync("c", join(dir, "dotfiles/b"));
    writeAtomic(join(dir, "a"), "text");
    expect(lstatSync(join(dir, "a")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(dir, "dotfiles/b")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, "dotfiles/c"), "utf8")).toBe("text");
  });

  test("rejects circular links and missing directories, and leaves nothing behind", () => {
    symlinkSync("loop", join(dir, "loop"));
    expect(failureOf(() => writeAtomic(join(dir, "loop"), "x")).code).toBe("io");
    expect(failureOf(() => writeAtomic(join(dir, "no/file"), "x")).code).toBe("not_found");
    mkdirSync(join(dir, "taken"));
    expect(failureOf(() => writeAtomic(join(dir, "taken"), "x")).code).toBe("io");
    expect(readdirSync(dir).sort()).toEqual(["loop", "taken"]);
  });
});

describe("openAtomic", () => {
  test("leaves the old file until it is committed, and nothing when it is discarded", () => {
    writeFileSync(join(dir, "a"), "old");
    const file = openAtomic(join(dir, "a"));
    file.write("ne");
    file.write(Buffer.from("w"));
    expect(readFileSync(join(dir, "a"), "utf8")).toBe("old");
    file.commit();
    file.discard();
    const dropped = openAtomic(join(dir, "a"));
    dropped.write("other");
    dropped.discard();
    expect([readFileSync(join(dir, "a"), "utf8"), readdirSync(dir)]).toEqual(["new", ["a"]]);
  });

  test("replaces a link and an old mode where that is asked for", () => {
    writeFileSync(join(dir, "target"), "old", { mode: 0o666 });
    symlinkSync("target", join(dir, "a"));
    writeAtomic(join(dir, "a"), "new", { mode: 0o600, replace: true });
    expect([lstatSync(join(dir, "a")).isFile(), modeOf(join(dir, "a"))]).toEqual([true, 0o600]);
    expect(readFileSync(join(dir, "target"), "utf8")).toBe("old");
  });
});

describe("readIfExists", () => {
  test("keeps a BOM and takes an absent file as null", () => {
    writeFileSync(join(dir, "a"), "\ufeffä");
    expect([
      readIfExists(join(dir, "a")),
      readIfExists(join(dir, "b")),
      readIfExists(join(dir, "a/b")),
    ]).toEqual(["\ufeffä", null, null]);
    expect(failureOf(() => readIfExists(dir)).code).toBe("io");
  });
});

describe("ensurePrivateDir", () => {
  test("creates private directories, and makes a readable directory private", () => {
    ensurePrivateDir(join(dir, "x/y"));
    expect([modeOf(join(dir, "x")), modeOf(join(dir, "x/y"))]).toEqual([0o700, 0o700]);
    chmodSync(join(dir, "x"), 0o755);
    ensurePrivateDir(join(dir, "x"));
    expect(modeOf(join(dir, "x"))).toBe(0o700);
  });

  test("rejects a directory that others can write to, and a file", () => {
    mkdirSync(join(dir, "x"));
    chmodSync(join(dir, "x"), 0o777);
    expect(failureOf(() => ensurePrivateDir(join(dir, "x"))).code).toBe("not_writable");
    writeFileSync(join(dir, "f"), "");
    expect(failureOf(() => ensurePrivateDir(join(dir, "f"))).code).toBe("io");
  });

  test.skipIf(process.geteuid?.() !== 0)("refuses one that belongs to another", () => {
    mkdirSync(join(dir, "x"));
    Bun.spawnSync(["chown", "12345", join(dir, "x")]);
    expect(failureOf(() => ensurePrivateDir(join(dir, "x"))).code).toBe("not_writable");
  });
});

describe("ioError", () => {
  test.each([
    ["ENOSPC", "disk_full", "cannot write /a: the disk is full"],
    ["EDQUOT", "disk_full", "cannot write /a: the disk quota is used up"],
    ["EACCES", "not_writable", "cannot write /a: permission denied"],
    ["EROFS", "not_writable", "cannot write /a: the file system is read-only"],
    ["ENOENT", "not_found", "cannot write /a: no such file or directory"],
    ["EWHAT", "io", "cannot write /a: what"],
  ])("%s is %s", (code, ours, message) => {
    const error = ioError(Object.assign(new Error("what"), { code }), "write /a");
    expect([error.code, error.message] as string[]).toEqual([ours, message]);
  });

  test("passes on an error of ours as it is", () => {
    const ours = new MementorError("usage", "x");
    expect(ioError(ours, "write")).toBe(ours);
  });
});

describe("readOpened", () => {
  const path = (name: string) => join(dir, name);
  beforeEach(() => writeFileSync(path("a"), "text"));

  test("reads what it opened, and nothing but a file of at most that size", () => {
    symlinkSync("a", path("link"));
    mkdirSync(path("directory"));
    const read = (name: string, maxBytes = 4) => readOpened(path(name), maxBytes, "links");
    expect([read("a"), read("link"), read("a", 3), read("directory")]).toEqual([
      new Uint8Array(Buffer.from("text")),
      new Uint8Array(Buffer.from("text")),
      ...[null, null],
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "waits for no pipe, and follows no link where it must not",
    () => {
      expect(Bun.spawnSync(["mkfifo", path("pipe")]).success).toBe(true);
      symlinkSync("a", path("link"));
      expect(readOpened(path("pipe"), 9, "links")).toBe(null);
      expect(() => readOpened(path("link"), 9, "no links")).toThrow("ELOOP");
    },
  );
});
