import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetPack } from "../../src/assets/catalog.ts";
import { sha256 } from "../../src/assets/directory.ts";
import { openPackedAssets } from "../../src/assets/packed-assets.ts";
import { places, writeFakePack } from "./fake-pack.ts";

const DAY_MS = 86_400_000;
let directory: string;
let pack: AssetPack;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "mementor-assets-"));
  pack = await writeFakePack(directory);
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function open(warnings: string[] = []) {
  return openPackedAssets(pack, places(directory, warnings));
}

function home(): string {
  return join(directory, "cache", "mementor", pack.contentHash);
}

async function isWhole(path: string): Promise<boolean> {
  const expected = pack.files.find((file) => path.endsWith(file.file));
  return sha256(await Bun.file(path).bytes()) === expected?.sha256;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "none",
    (error) => error.code,
  );
}

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe("extraction", () => {
  test("writes a file with its group, and nothing else", async () => {
    const path = await open().path("ort-binding");
    expect(path).toBe(join(home(), "binding.node"));
    expect(readdirSync(home()).sort()).toEqual([
      ".used",
      "binding.node",
      "binding.node.verified",
      "library.so",
      "library.so.verified",
      "native.lock",
    ]);
    expect(await isWhole(path)).toBe(true);
  });

  test("keeps a model's layout", async () => {
    expect(await isWhole(await open().path("model"))).toBe(true);
    expect(existsSync(join(home(), "model", "model.onnx"))).toBe(true);
  });

  test("reads bytes without writing", async () => {
    expect((await open().bytes("model")).byteLength).toBe(300_002);
    expect(existsSync(join(directory, "cache"))).toBe(false);
  });

  test("writes nothing a second time", async () => {
    const path = await open().path("ort-library");
    const before = lstatSync(path, { bigint: true });
    await open().path("ort-library");
    const { ino, ctimeNs } = lstatSync(path, { bigint: true });
    expect({ ino, ctimeNs }).toEqual({ ino: before.ino, ctimeNs: before.ctimeNs });
  });

  const DAMAGE: [string, (path: string) => void][] = [
    ["cut short", (path) => truncateSync(path, 1000)],
    ["removed", (path) => rmSync(path)],
    ["changed in place", (path) => flipByte(path)],
    [
      "changed in place, its time set back",
      (path) => {
        const { atime, mtime } = statSync(path);
        flipByte(path);
        utimesSync(path, atime, mtime);
      },
    ],
    [
      "replaced by another of its size",
      (path) => {
        const { size } = statSync(path);
        rmSync(path);
        writeFileSync(path, new Uint8Array(size), { mode: 0o700 });
      },
    ],
    ["open to others", (path) => chmodSync(path, 0o777)],
    [
      "replaced by a link",
      (path) => {
        rmSync(path);
        symlinkSync("/bin/sh", path);
      },
    ],
  ];
  test.each(DAMAGE)("repairs a file that was %s", async (_, damage) => {
    const path = await open().path("ort-library");
    damage(path);
    await open().path("ort-binding");
    expect(await isWhole(path)).toBe(true);
    expect(await open().verify()).toEqual([]);
  });

  test("rejects a damaged binary", async () => {
    const [first] = pack.files;
    if (first) await Bun.write(first.embedded, Bun.zstdCompressSync(new Uint8Array(first.size)));
    expect(await codeOf(open().path("ort-binding"))).toBe("assets_broken");
    expect(existsSync(join(home(), "binding.node"))).toBe(false);
  });

  test("twenty racing first runs all find whole files", async () => {
    await Bun.write(join(directory, "pack.json"), JSON.stringify(pack));
    const child = join(import.meta.dirname, "race-child.ts");
    const runs = Array.from({ length: 20 }, () =>
      Bun.spawn([process.execPath, child, directory], { stdout: "pipe" }),
    );
    const answers = await Promise.all(
      runs.map(async ({ stdout }) => JSON.parse(await new Response(stdout).text())),
    );
    const [first] = answers;
    expect(answers).toEqual(Array(20).fill({ size: 300_001, derived: first.derived, made: 50_000 }));
    expect(readdirSync(home()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a lock file of an older version does not block", async () => {
    await open().path("model");
    const lock = join(home(), "native.lock");
    writeFileSync(lock, "");
    expect(await isWhole(await open().path("ort-library"))).toBe(true);
  });
});

describe("a directory that others could write to is refused", () => {
  const PLANTED: [string, (root: string) => void][] = [
    ["everybody may write", (root) => chmodTo(root, 0o777)],
    ["the group may write", (root) => chmodTo(root, 0o770)],
    ["others may read", (root) => chmodTo(root, 0o755)],
    ["a link", (root) => plantLink(root)],
    ["a file", (root) => writeFileSync(root, "")],
  ];

  test.each(PLANTED)("the root: %s", async (_, plant) => {
    mkdirSync(join(directory, "cache"));
    plant(join(directory, "cache", "mementor"));
    expect(await codeOf(open().path("ort-library"))).toBe("assets_unsafe");
  });

  test.each(PLANTED)("the version's own: %s", async (_, plant) => {
    mkdirSync(join(directory, "cache", "mementor"), { recursive: true, mode: 0o700 });
    plant(home());
    expect(await codeOf(open().path("ort-library"))).toBe("assets_unsafe");
  });

  test("another owner", async () => {
    await open().path("ort-library");
    const other = { ...places(directory), uid: 4711 };
    expect(await codeOf(openPackedAssets(pack, other).path("ort-library"))).toBe("assets_unsafe");
  });

  test("a cache directory where everyone may rename", async () => {
    mkdirSync(join(directory, "cache"));
    chmodSync(join(directory, "cache"), 0o777);
    expect(await codeOf(open().path("ort-library"))).toBe("assets_unsafe");
  });

  // Only root may give a directory to another group.
  test.skipIf(process.getuid?.() !== 0).each([
    ["a shared group", 4711, "assets_unsafe"],
    ["the user's own group", 0, "none"],
  ])("a cache directory where %s may rename", async (_, group, expected) => {
    const cache = join(directory, "cache");
    mkdirSync(cache);
    chownSync(cache, 0, group);
    chmodSync(cache, 0o775);
    expect(await codeOf(open().path("ort-library"))).toBe(expected);
  });

  test.each(PLANTED)("the fallback: %s", async (_, plant) => {
    writeFileSync(join(directory, "cache"), "");
    plant(join(directory, "fallback"));
    expect(await codeOf(open().path("ort-library"))).toBe("assets_unsafe");
  });

  function chmodTo(path: string, mode: number): void {
    mkdirSync(path);
    chmodSync(path, mode);
  }

  function plantLink(path: string): void {
    const target = join(directory, "elsewhere");
    mkdirSync(target, { mode: 0o700 });
    symlinkSync(target, path);
  }
});

describe("a cache that cannot be written", () => {
  test("gives way to the fallback, with a warning", async () => {
    writeFileSync(join(directory, "cache"), "a file where a directory should be");
    const warnings: string[] = [];
    const path = await open(warnings).path("ort-library");
    expect(path).toBe(join(directory, "fallback", pack.contentHash, "library.so"));
    expect(warnings).toEqual([expect.stringContaining("cannot write to")]);
  });

  test("is an error when the fallback cannot be written either", async () => {
    writeFileSync(join(directory, "cache"), "");
    const nowhere = { ...places(directory), fallbackDir: join(directory, "cache", "fallback") };
    expect(await codeOf(openPackedAssets(pack, nowhere).path("ort-library"))).toBe("not_writable");
  });
});

describe("a cache on a disk that is read-only", () => {
  const confined = [
    "unshare",
    ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]),
    "--mount",
    "sh",
    "-c",
  ];
  const can =
    Bun.which("unshare") !== null &&
    Bun.spawnSync([...confined, "mount -t tmpfs none /mnt"], { stderr: "ignore" }).exitCode === 0;

  test.skipIf(!can)("is used for what it contains, and the rest is made once, in the fallback", async () => {
    await Bun.write(join(directory, "pack.json"), JSON.stringify(pack));
    const library = await open().path("ort-library");
    utimesSync(join(home(), ".used"), new Date(0), new Date(0));
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
    const child = [process.execPath, join(import.meta.dirname, "read-only-child.ts"), directory];
    const run = Bun.spawn([...confined, script, "sh", join(directory, "cache"), ...child], {
      stdout: "pipe",
    });
    const { made, derived, ...seen } = JSON.parse(await new Response(run.stdout).text());
    expect(seen).toEqual({ library, failure: "no", warnings: [] });
    const fallback = join(directory, "fallback", pack.contentHash);
    expect(made).toEqual(
      ["failing", "made-here"].map((name) => expect.stringContaining(join(fallback, name))),
    );
    expect(derived).toStartWith(join(fallback, "made-here"));
  });
});

describe("derived files", () => {
  const make = (content: string) => (path: string) => Bun.write(path, content).then(() => {});

  test("are made once", async () => {
    const first = await open().derived("x", make("one"));
    expect(await open().derived("x", make("two"))).toBe(first);
    expect(await Bun.file(first).text()).toBe("one");
  });

  test("are made once where files are open to the group by default", async () => {
    const before = process.umask(0o002);
    const first = await open().derived("x", make("one"));
    expect(await open().derived("x", make("two"))).toBe(first);
    process.umask(before);
  });

  test("are made again when a byte has changed", async () => {
    const path = await open().derived("x", make("0123456789"));
    flipByte(path);
    expect(await Bun.file(await open().derived("x", make("new"))).text()).toBe("new");
  });

  test("are made again when cut short", async () => {
    truncateSync(await open().derived("x", make("one")), 1);
    expect(await Bun.file(await open().derived("x", make("two"))).text()).toBe("two");
  });

  test("are made again in a directory that was brought from elsewhere, whatever its record says", async () => {
    await open().derived("x", make("one"));
    const brought = join(directory, "brought");
    cpSync(join(directory, "cache"), brought, { recursive: true, preserveTimestamps: true });
    const there = { ...places(directory), cacheDir: brought };
    const hook = openPackedAssets(pack, { ...there, mayUnpack: false });
    expect(await codeOf(hook.derived("x", make("two")))).toBe("assets_packed");
    const path = await openPackedAssets(pack, there).derived("x", make("two"));
    expect([path.startsWith(brought), await Bun.file(path).text()]).toEqual([true, "two"]);
  });

  test("leave nothing when making fails", async () => {
    await expect(open().derived("x", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(readdirSync(home()).sort()).toEqual([".used", "x.lock"]);
  });
});

describe("verify", () => {
  test("finds a file that others can write to, which is written anew", async () => {
    const path = await open().path("ort-library");
    chmodSync(path, 0o722);
    expect(await open().verify()).toEqual([{ file: "library.so", problem: "unsafe" }]);
    expect(await open().path("ort-library")).toBe(path);
    expect(lstatSync(path).mode & 0o777).toBe(0o700);
  });

  test("finds a changed byte", async () => {
    const path = await open().path("ort-library");
    flipByte(path);
    expect(await open().verify()).toEqual([{ file: "library.so", problem: "changed" }]);
  });

  test("finds a changed derived file", async () => {
    const path = await open().derived("x", (to) => Bun.write(to, "one").then(() => {}));
    await Bun.write(path, "two");
    expect(await open().verify()).toEqual([{ file: expect.stringMatching(/^x\./), problem: "changed" }]);
  });

  test("is content with what was never written", async () => {
    expect(await open().verify()).toEqual([]);
  });
});

describe("old versions", () => {
  async function startAt(days: number, seed: number): Promise<void> {
    const now = new Date(lstatSync(directory).mtimeMs + days * DAY_MS);
    const version = await writeFakePack(directory, seed);
    await openPackedAssets(version, places(directory, [], now)).path("ort-library");
  }
  const versions = () =>
    readdirSync(join(directory, "cache", "mementor"))
      .map(Number)
      .sort();

  test("are removed when no process has used them for two weeks", async () => {
    await startAt(0, 1);
    await startAt(0, 2);
    await startAt(10, 1);
    await startAt(20, 3);
    expect(versions()).toEqual([1, 3]);
  });

  test("keep everything that is not a version of mementor", async () => {
    await startAt(0, 1);
    mkdirSync(join(directory, "cache", "mementor", "notes"));
    await startAt(40, 2);
    expect(readdirSync(join(directory, "cache", "mementor")).sort()).toEqual(["0000000000000002", "notes"]);
  });
});
