import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IngestStore } from "../../src/store/stored.ts";
import { TestMemory } from "./memory.ts";

const LEG = readFileSync(
  join(import.meta.dir, "../../fixtures/transcripts/shapes/desktop-on-windows.jsonl"),
  "utf8",
);
const LEGS = 40;

/** One leg of a marathon, with identifiers of its own. */
const leg = (n: number) =>
  LEG.replace(/(?<=id":")\d{8}(?=-)/gi, (digits) => `${n}`.padStart(4, "0") + digits.slice(4));

/** A store that counts its calls, and the turns that it is given. */
function counted(store: IngestStore): { store: IngestStore; calls: () => number; turns: () => number } {
  let [calls, turns] = [0, 0];
  const counting = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        calls++;
        if (name === "write") turns += (given[0] as { turns: unknown[] }).turns.length;
        return value.apply(target, given);
      };
    },
  });
  return { store: counting, calls: () => calls, turns: () => turns };
}

/** Reads a session of so many legs: at once, or after each leg. */
async function run(legs: number, grows: boolean) {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, "5e550000-0000-4000-8000-000000000077.jsonl");
  const { store, calls, turns } = counted(memory.store.ingest);
  writeFileSync(path, "");
  for (let n = 1; n <= legs; n++) {
    appendFileSync(path, leg(n));
    if (grows || n === legs) await memory.ingest([path], { store, textOnly: true });
  }
  const { sessions } = await memory.store.browse.sessions({}, { limit: 1 });
  return { calls: calls(), written: turns(), turns: sessions[0]?.turns ?? 0 };
}

test.each([
  ["at once", false],
  ["while it grows", true],
])("a session ten times as long costs ten times as much, read %s", async (_, grows) => {
  const [short, long] = [await run(LEGS / 10, grows), await run(LEGS, grows)];
  expect([short.turns, long.turns]).toEqual([LEGS * 0.3, LEGS * 3]);
  expect(long.written).toBeLessThanOrEqual(short.written * 11);
  expect(long.calls).toBeLessThanOrEqual(short.calls * 11);
});
