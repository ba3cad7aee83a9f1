import { expect, test } from "bun:test";
import { onFirstUse } from "../../src/store/on-first-use.ts";

interface Counter {
  next(by: number): Promise<number>;
}

test("a part is loaded by its first call, and once", async () => {
  let loads = 0;
  let count = 0;
  const part = onFirstUse<Counter>(async () => {
    loads++;
    return {
      next: async (by) => {
        count += by;
        return count;
      },
    };
  });
  expect(loads).toBe(0);
  expect(await Promise.all([part.next(2), part.next(3)])).toEqual([2, 5]);
  expect(loads).toBe(1);
});

test("a part can be the result of an asynchronous function", async () => {
  const part = onFirstUse<Counter>(async () => ({ next: async (by) => by }));
  const open = async () => part;
  expect(await (await open()).next(4)).toBe(4);
});

test("printing a part, or writing it as JSON, calls none of its methods", async () => {
  let loaded = 0;
  const part = onFirstUse(async () => {
    loaded++;
    return { count: async () => 1 };
  });
  const overridden = Object.assign(Object.create(part), { count: async () => 2 });
  expect([Bun.inspect(part), JSON.stringify({ part }), String(Object(part)[Symbol.toPrimitive])]).toEqual([
    "{}",
    '{"part":{}}',
    "undefined",
  ]);
  expect(Bun.inspect(overridden)).toContain("count");
  expect(loaded).toBe(0);
});

test("a method that the part does not have is named", async () => {
  const part: Record<string, () => Promise<number>> = onFirstUse(async () => ({ count: async () => 1 }));
  await expect(part.counts?.()).rejects.toThrow("the store has no method counts");
});
