import { expect, test } from "bun:test";
import type { Embedder } from "../../../src/embed/embedder.ts";
import { search } from "../../../src/recall/search.ts";
import { newKey } from "../../../src/sync/folder/key.ts";
import { MODEL, tempDir } from "../../store/builders.ts";
import { createHashEmbedder } from "../../support/hash-embedder.ts";
import { Cloud } from "./cloud.ts";
import { Device } from "./device.ts";

const USUAL = createHashEmbedder({ ...MODEL, maxTokens: 64 });
const OTHER = createHashEmbedder({ id: "other-model", dimensions: 8, maxTokens: 64 });

/** A turn has one chunk for its prompt and one for its answer. */
const CHUNKS = 2;

/** Embeds what waits. Returns how many chunks that were. */
const embedAll = (device: Device, { model, embed }: Embedder) =>
  device.work(async ({ ingest }) => {
    const waiting = await ingest.pendingChunks(100, model.id);
    for (const { chunkId, content } of waiting)
      await ingest.saveVectors([{ chunkId, vector: await embed(content) }], model.id);
    return waiting.length;
  });

/** The texts that a device finds, by words or by meaning alone. */
const found = (device: Device, { embed }: Embedder, query: string, mode: "keyword" | "vector") =>
  device.work(async (store) => {
    const { hits } = await search({ query, limit: 5, mode }, { store: store.search, embed });
    return hits.map(({ turn }) => turn.text);
  });

test("a device with another model finds what arrives by words, and by meaning once it is embedded there", async () => {
  using dir = tempDir();
  const key = newKey();
  const cloud = new Cloud();
  const [laptop, tablet, desk] = ["laptop", "tablet", "desk"].map((name) => new Device(dir.path, name, key));
  if (laptop === undefined || tablet === undefined || desk === undefined) throw new Error("no devices");
  for (const device of [laptop, tablet, desk]) await device.start();
  await desk.work(async ({ models }) => {
    await models.add(OTHER.model);
    await models.activate(OTHER.model.id);
  });
  const sync = async (device: Device) => {
    cloud.download(device.replica);
    await device.sync();
    cloud.upload(device.replica);
  };
  await laptop.write("p1", "the kettle whistles");
  await embedAll(laptop, USUAL);
  for (const device of [laptop, tablet, desk]) await sync(device);
  const text = laptop.rows()[0]?.text ?? "";

  // The same model: its vectors came along.
  expect(await embedAll(tablet, USUAL)).toBe(0);
  expect(await found(tablet, USUAL, text, "vector")).toEqual([text]);

  expect(await found(desk, OTHER, "kettle", "keyword")).toEqual([text]);
  expect(await found(desk, OTHER, text, "vector")).toEqual([]);
  expect(await embedAll(desk, OTHER)).toBe(CHUNKS);
  expect(await found(desk, OTHER, text, "vector")).toEqual([text]);

  // What the other model embedded is sent with its vectors, which the usual one cannot use.
  await desk.write("p2", "the teapot is blue");
  await embedAll(desk, OTHER);
  for (const device of [desk, laptop]) await sync(device);
  const second = desk.rows().find(({ id }) => id === "p2")?.text ?? "";
  expect(await found(laptop, USUAL, "teapot", "keyword")).toEqual([second]);
  expect(await embedAll(laptop, USUAL)).toBe(CHUNKS);
  expect(await found(laptop, USUAL, second, "vector")).toContain(second);
});
