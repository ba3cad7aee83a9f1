import { expect, test } from "bun:test";
import { lazyEmbedder, openOrWithout } from "../../src/embed/optional.ts";
import { MementorError } from "../../src/errors.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";

test("opens the embedder at the first text, once, and closes it", async () => {
  let opened = 0;
  const lazy = lazyEmbedder(
    async () => {
      opened++;
      return createHashEmbedder();
    },
    () => {},
  );
  expect(opened).toBe(0);
  const [first, second] = await Promise.all([lazy.embed("kettle"), lazy.embed("kettle")]);
  expect(first).toEqual(second);
  expect(first).toEqual(await createHashEmbedder().embed("kettle"));
  expect(opened).toBe(1);
  await lazy.close();
});

test("continues without one, and gives the reason once", async () => {
  const reasons: MementorError[] = [];
  const unavailable = new MementorError("embedder_unavailable", "no runtime");
  const lazy = lazyEmbedder(
    () => Promise.reject(unavailable),
    (reason) => {
      reasons.push(reason);
    },
  );
  expect([await lazy.embed("kettle"), await lazy.embed("teapot")]).toEqual([null, null]);
  expect(reasons).toEqual([unavailable]);
  await lazy.close();
});

test("continues without a vector for a text that fails", async () => {
  const codes: string[] = [];
  const lazy = lazyEmbedder(
    async () => ({ ...createHashEmbedder(), embed: () => Promise.reject(new TypeError("broken")) }),
    ({ code }) => void codes.push(code),
  );
  expect([await lazy.embed("kettle"), codes]).toEqual([null, ["internal"]]);
  await lazy.close();
});

test("closes without having opened", async () => {
  const asked: string[] = [];
  const lazy = lazyEmbedder(
    () => Promise.reject(asked.push("open")),
    () => void asked.push("report"),
  );
  await lazy.close();
  expect(asked).toEqual([]);
});

test("reports any other error as internal", async () => {
  const codes: string[] = [];
  const none = await openOrWithout(
    () => Promise.reject(new TypeError("broken")),
    ({ code }) => {
      codes.push(code);
    },
  );
  expect([none, codes]).toEqual([null, ["internal"]]);
});
