import { expect, test } from "bun:test";
import { newKey } from "../../../src/sync/folder/key.ts";
import { tempDir } from "../../store/builders.ts";
import { Cloud } from "./cloud.ts";
import { Device } from "./device.ts";

async function devices(directory: string, ...names: string[]) {
  const key = newKey();
  const cloud = new Cloud();
  const made = names.map((name) => new Device(directory, name, key));
  for (const each of made) await each.start();
  const sync = async (device: Device) => {
    cloud.download(device.replica);
    const result = await device.sync();
    cloud.upload(device.replica);
    return result;
  };
  return { cloud, sync, made };
}

const shown = (device: Device) => device.rows().map(({ id, marks, device: home }) => [id, marks, home]);

test("what is said on one device is one's own on the other, with its marks and its device", async () => {
  using dir = tempDir();
  const { made: [laptop, desk] = [], sync } = await devices(dir.path, "laptop", "desk");
  if (laptop === undefined || desk === undefined) throw new Error("no devices");
  await laptop.write("p1", "tea");
  await laptop.mark("p1", "pin", true);
  await desk.write("p2", "coffee");
  expect(await sync(laptop)).toEqual({ pushed: 2, added: 0, updated: 0, removed: 0 });
  expect(await sync(desk)).toEqual({ pushed: 1, added: 1, updated: 0, removed: 0 });
  expect(await sync(laptop)).toEqual({ pushed: 0, added: 1, updated: 0, removed: 0 });
  expect(shown(desk)).toEqual([
    ["p1", "pin", "laptop"],
    ["p2", "", null],
  ]);
  expect(shown(laptop)).toEqual([
    ["p1", "pin", null],
    ["p2", "", "desk"],
  ]);
  await desk.mark("p1", "pin", false);
  await sync(desk);
  await sync(laptop);
  expect(shown(laptop)[0]).toEqual(["p1", "", null]);
  expect(await sync(laptop)).toEqual({ pushed: 0, added: 0, updated: 0, removed: 0 });
});

test("what is forgotten on one device goes from all, with its bytes, and does not come back", async () => {
  using dir = tempDir();
  const { made: [laptop, desk] = [], sync } = await devices(dir.path, "laptop", "desk");
  if (laptop === undefined || desk === undefined) throw new Error("no devices");
  await laptop.write("p1", "marzipan");
  await laptop.write("p2", "tea");
  for (const each of [laptop, desk]) await sync(each);
  await desk.forget("p1");
  for (const each of [desk, laptop, desk]) await sync(each);
  await laptop.write("p3", "milk");
  for (const each of [laptop, desk]) await sync(each);
  expect([laptop, desk].map((each) => each.rows().map(({ id }) => id))).toEqual([
    ["p2", "p3"],
    ["p2", "p3"],
  ]);
  for (const each of [laptop, desk]) {
    expect((await each.bytes()).includes("marzipan")).toBe(false);
    expect(await each.put()).not.toContain("marzipan");
  }
});

test("a plain prune is of one device", async () => {
  using dir = tempDir();
  const { made: [laptop, desk] = [], sync } = await devices(dir.path, "laptop", "desk");
  if (laptop === undefined || desk === undefined) throw new Error("no devices");
  await laptop.write("p1", "tea");
  for (const each of [laptop, desk]) await sync(each);
  await laptop.prune("p1");
  for (const each of [laptop, desk, laptop]) await sync(each);
  expect([laptop, desk].map((each) => each.rows().map(({ id }) => id))).toEqual([[], ["p1"]]);
  await desk.prune("p1");
  for (const each of [desk, laptop, desk]) await sync(each);
  expect([laptop, desk].map((each) => each.rows().map(({ id }) => id))).toEqual([[], []]);
});

test("a secret goes, too, that one device takes out of a turn which another one took over", async () => {
  using dir = tempDir();
  const { made, sync } = await devices(dir.path, "laptop", "desk", "tablet");
  const [laptop, desk, tablet] = made;
  if (laptop === undefined || desk === undefined || tablet === undefined) throw new Error("no devices");
  await laptop.write("p1", "the word is marzipan");
  for (const each of made) await sync(each);
  const { writer = "" } = (await laptop.work(({ folder }) => folder.self())) ?? {};
  await desk.work(({ folder }) => folder.takeOver(writer));
  for (const each of [desk, tablet, desk]) await sync(each);
  tablet.edit("marzipan", "[-]");
  for (const each of [tablet, desk, tablet, desk]) await sync(each);
  for (const each of [desk, tablet]) {
    expect(each.rows().map(({ text }) => text)).toEqual(["[User] p1\n\n[Assistant] the word is [-]"]);
    expect(await each.put()).not.toContain("marzipan");
  }
});
