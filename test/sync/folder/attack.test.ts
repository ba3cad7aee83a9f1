import { expect, test } from "bun:test";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { UNTRUSTED } from "../../../src/io/untrusted.ts";
import { openFolder } from "../../../src/sync/folder/files.ts";
import { keyId, newKey } from "../../../src/sync/folder/key.ts";
import { MANIFEST_BYTES } from "../../../src/sync/folder/manifest.ts";
import { projectPath } from "../../../src/sync/folder/settings.ts";
import { tempDir } from "../../store/builders.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { Cloud } from "./cloud.ts";
import { Device, PROJECT } from "./device.ts";

const SECRET = "marzipan";

/** Two devices in step, and what the folder held before and after. */
async function inStep(directory: string) {
  const key = newKey();
  const cloud = new Cloud();
  const [laptop, desk] = [new Device(directory, "laptop", key), new Device(directory, "desk", key)];
  const sync = async (device: Device) => {
    cloud.download(device.replica);
    const result = await device.sync();
    cloud.upload(device.replica);
    return result;
  };
  for (const each of [laptop, desk]) await each.start();
  await laptop.write("p1", SECRET);
  for (const each of [laptop, desk]) await sync(each);
  return { key, cloud, laptop, desk, sync };
}

const ids = (device: Device) => device.rows().map(({ id }) => id);
const problemsOf = (device: Device) =>
  device.work(async ({ folder }) => (await folder.writers()).flatMap(({ problem }) => problem ?? []));

test("who reads the folder without a key reads no word, name or path", async () => {
  using dir = tempDir();
  const { laptop } = await inStep(dir.path);
  const all = [...laptop.replica.content]
    .map(([name, bytes]) => name + Buffer.from(bytes).toString("latin1"))
    .join("\n");
  expect(["marzipan", "laptop", "shop", "claude"].filter((word) => all.includes(word))).toEqual([]);
});

const attack = fc.record({
  kind: fc.constantFrom("flip", "cut", "swap", "remove", "replace", "foreign"),
  target: fc.nat(20),
  other: fc.nat(20),
  at: fc.nat(5_000),
  bytes: fc.uint8Array({ maxLength: 200 }),
});
type Attack = typeof attack extends fc.Arbitrary<infer Value> ? Value : never;
type Files = Map<string, Uint8Array>;

/** Does to a file of the folder what anybody can who may write there. */
function spoil(content: Files, sound: Files, { kind, target, other, at, bytes }: Attack): void {
  const files = [...sound].sort(([a], [b]) => (a < b ? -1 : 1));
  const [name, there] = files[target % files.length] ?? ["", new Uint8Array(1)];
  const [, elsewhere] = files[other % files.length] ?? ["", new Uint8Array(1)];
  const place = at % there.length;
  const acts: Record<string, () => unknown> = {
    flip: () => content.set(name, there.with(place, (there[place] ?? 0) ^ 255)),
    cut: () => content.set(name, there.subarray(0, place)),
    swap: () => content.set(name, elsewhere),
    remove: () => content.delete(name),
    replace: () => content.set(name, bytes),
    foreign: () => content.set(name.replace(/[0-9a-f]{16}\/[^/]*$/, "0123456789abcdef/manifest"), there),
  };
  acts[kind]?.();
}

test("no change of any file by somebody without a key brings a word into a memory, or ends a sync", async () => {
  using dir = tempDir();
  const { laptop, desk, sync } = await inStep(dir.path);
  await laptop.write("p2", "nougat");
  await sync(laptop);
  const sound = new Map(laptop.replica.content);
  const before = desk.rows();
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 5 }), async (attacks) => {
      desk.replica.content = new Map(sound);
      for (const each of attacks) spoil(desk.replica.content, sound, each);
      await desk.sync();
      const known = new Set([...before.map(({ text }) => text), "[User] p2\n\n[Assistant] nougat"]);
      expect(desk.rows().filter(({ text }) => !known.has(text))).toEqual([]);
      expect(ids(desk)).toContain("p1");
    }),
    fcOptions(1 / 5),
  );
  desk.replica.content = new Map(sound);
  for (const each of [desk, laptop, desk]) await sync(each);
  expect([laptop, desk].map(ids)).toEqual([
    ["p1", "p2"],
    ["p1", "p2"],
  ]);
});

test("an old state of a device is named, and brings back nothing that was forgotten", async () => {
  using dir = tempDir();
  const { laptop, desk, sync } = await inStep(dir.path);
  const old = new Map(desk.replica.content);
  await laptop.forget("p1");
  for (const each of [laptop, desk]) await sync(each);
  expect(ids(desk)).toEqual([]);
  for (const [name, bytes] of old)
    if (!desk.replica.content.has(name) || name.endsWith("manifest")) desk.replica.content.set(name, bytes);
  await desk.sync();
  expect(ids(desk)).toEqual([]);
  expect(await problemsOf(desk)).toEqual(["it is older than the state seen here before"]);
  expect(await desk.sync(undefined, { acceptsOlder: true })).toMatchObject({ added: 0 });
  expect(ids(desk)).toEqual([]);
});

test("a new device does not take a folder that is older than a manifest in it says", async () => {
  using dir = tempDir();
  const { key, cloud, laptop, desk, sync } = await inStep(dir.path);
  const old = [...laptop.replica.content].filter(([name]) => name.includes("manifest"));
  await laptop.write("p2", "nougat");
  await sync(laptop);
  await desk.write("p3", "toffee");
  await sync(desk);
  const fresh = new Device(dir.path, "fresh", key);
  await fresh.start();
  cloud.download(fresh.replica);
  const self = await laptop.work(({ folder }) => folder.self());
  for (const [name, bytes] of old)
    if (name.includes(self?.writer ?? "none")) fresh.replica.content.set(name, bytes);
  await fresh.sync();
  expect(ids(fresh)).toEqual(["p3"]);
  expect(await problemsOf(fresh)).toEqual(["it is older than the state that desk has seen"]);
  await fresh.sync(undefined, { acceptsOlder: true });
  expect(ids(fresh)).toEqual(["p1", "p3"]);
});

test("a key that was rotated away opens nothing new, and brings nothing in", async () => {
  using dir = tempDir();
  const { key: old, cloud, laptop, desk, sync } = await inStep(dir.path);
  const key = newKey();
  const rotate = (device: Device) => {
    device.key = key;
    device.formerKeys = [old];
  };
  rotate(laptop);
  await laptop.write("p2", "nougat");
  await sync(laptop);
  await expect(sync(desk)).rejects.toThrow("the folder has a new key since laptop changed it");
  // A thief goes on with the old key: the device that knows the new one does not listen.
  const thief = new Device(dir.path, "thief", old);
  await thief.start();
  await thief.write("p9", "poison");
  thief.replica.content = new Map(
    [...laptop.replica.content].filter(([name]) => !name.startsWith(keyId(old))),
  );
  await thief.sync();
  expect(ids(thief)).toEqual(["p9"]);
  cloud.upload(thief.replica);
  await sync(laptop);
  expect(ids(laptop)).toEqual(["p1", "p2"]);
  const { writer } = (await laptop.work(({ folder }) => folder.self())) ?? { writer: "none" };
  const left = [...laptop.replica.content.keys()].filter(
    (name) => name.startsWith(keyId(old)) && name.includes(writer),
  );
  expect(left.map((name) => name.split("/").at(-1))).toEqual(["manifest"]);
  rotate(desk);
  for (const each of [desk, laptop, desk]) await sync(each);
  expect([laptop, desk].map(ids)).toEqual([
    ["p1", "p2"],
    ["p1", "p2"],
  ]);
});

test("nothing is read or written through links, pipes or names that lead out of the folder", async () => {
  using dir = tempDir();
  const folder = join(dir.path, "folder");
  const outside = join(dir.path, "outside");
  for (const each of [folder, outside]) mkdirSync(each);
  writeFileSync(join(outside, "manifest"), "private");
  const files = await openFolder(folder);
  await files.write(["tree", "tag", "writer", "manifest"], new Uint8Array([1]));
  expect(await files.read(["tree", "tag", "writer", "manifest"], 9)).toEqual(new Uint8Array([1]));
  symlinkSync(outside, join(folder, "mementor", "tree", "tag", "evil"));
  rmSync(join(folder, "mementor", "tree", "tag", "writer", "manifest"));
  symlinkSync(join(outside, "manifest"), join(folder, "mementor", "tree", "tag", "writer", "manifest"));
  expect(await files.list(["tree", "tag", "evil"])).toEqual([]);
  expect(await files.read(["tree", "tag", "evil", "manifest"], 9)).toBe(null);
  expect(await files.read(["tree", "tag", "writer", "manifest"], 9)).toBe(null);
  await expect(files.write(["tree", "tag", "evil", "manifest"], new Uint8Array([2]))).rejects.toThrow(
    "is no directory",
  );
  await files.remove(["tree", "tag", "evil", "manifest"]);
  await files.write(["tree", "tag", "writer", "manifest"], new Uint8Array([3]));
  expect(lstatSync(join(folder, "mementor", "tree", "tag", "writer", "manifest")).isFile()).toBe(true);
  expect(readdirSync(outside)).toEqual(["manifest"]);
  expect(readFileSync(join(outside, "manifest"), "utf8")).toBe("private");
});

test("of a file that is not sealed only as much is read as shows it", async () => {
  using dir = tempDir();
  const files = await openFolder(dir.path);
  await files.write(["tree", "manifest"], new Uint8Array(1_000_000));
  expect(await files.read(["tree", "manifest"], MANIFEST_BYTES)).toEqual(new Uint8Array(9));
});

test("a file that is larger than it may be is not read, and a manifest like that is named", async () => {
  using dir = tempDir();
  const files = await openFolder(dir.path);
  const sealed = new TextEncoder().encode("mementor\u0001.");
  await files.write(["tree", "manifest"], sealed);
  expect([await files.read(["tree", "manifest"], 10), await files.read(["tree", "manifest"], 9)]).toEqual([
    sealed,
    null,
  ]);
  const { cloud, laptop, desk, sync } = await inStep(dir.path);
  const self = await laptop.work(({ folder }) => folder.self());
  const name = [...desk.replica.content.keys()].find((each) => each.endsWith(`${self?.writer}/manifest`));
  await laptop.write("p2", "nougat");
  await sync(laptop);
  cloud.download(desk.replica);
  const sound = new Map(desk.replica.content);
  desk.replica.content.set(name ?? "", new Uint8Array(MANIFEST_BYTES + 1));
  await desk.sync();
  expect([ids(desk), await problemsOf(desk)]).toEqual([
    ["p1"],
    ["its manifest is larger than 32 MB, or not a regular file"],
  ]);
  desk.replica.content = sound;
  await desk.sync();
  expect([ids(desk), await problemsOf(desk)]).toEqual([["p1", "p2"], []]);
});

test("of manifests that nobody with the key wrote only so much is read, and those of known devices first", async () => {
  using dir = tempDir();
  const { key, laptop, desk, cloud, sync } = await inStep(dir.path);
  await laptop.write("p2", "nougat");
  await sync(laptop);
  cloud.download(desk.replica);
  const forged = new Uint8Array(MANIFEST_BYTES);
  forged.set(new TextEncoder().encode("mementor\u0001"));
  for (let i = 0; i < 40; i++) {
    const writer = i.toString(16).padStart(16, "0");
    desk.replica.content.set(`${projectPath(key, PROJECT).join("/")}/${writer}/manifest`, forged);
  }
  await desk.sync();
  expect(ids(desk)).toEqual(["p1", "p2"]);
  expect(desk.replica.readBytes).toBeLessThan(2 * UNTRUSTED.forgedBytes);
});
