import { expect, test } from "bun:test";
import fc from "fast-check";
import { READ } from "../../../src/constants.ts";
import { SeenPrompts } from "../../../src/ingest/transcript/turns.ts";
import { fcOptions } from "../../support/fast-check.ts";

function seen(uuids: readonly string[]): SeenPrompts {
  const prompts = new SeenPrompts("");
  for (const uuid of uuids) prompts.add(uuid);
  return prompts;
}

test("of what was written those that came first are known again, and no other", () => {
  const uuids = fc.uniqueArray(fc.oneof(fc.uuid(), fc.string()), { maxLength: 40 });
  fc.assert(
    fc.property(uuids, fc.nat(40), (all, cut) => {
      const again = new SeenPrompts(seen(all).text(cut));
      expect(again.count).toBe(Math.min(cut, all.length));
      expect(all.map((uuid) => again.has(uuid))).toEqual(all.map((_, i) => i < cut));
    }),
    fcOptions(),
  );
});

test("of very many the latest are written, in a bounded text", () => {
  const most = READ.rememberedPrompts;
  const uuids = Array.from({ length: most + 2 }, (_, i) => `uuid ${i}`);
  const text = seen(uuids).text(uuids.length);
  const again = new SeenPrompts(text);
  expect({ length: text.length, known: uuids.findIndex((uuid) => again.has(uuid)) }).toEqual({
    length: 8 * most,
    known: 2,
  });
});

test.each(["?", "AAAA", "AAAAAAAAAA"])("what was not written by it (%s) is no trouble", (text) => {
  expect(new SeenPrompts(text).has("a")).toBe(false);
});
