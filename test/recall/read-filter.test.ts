import { expect, test } from "bun:test";
import { readFilterFor } from "../../src/recall/read-filter.ts";

const NOW = new Date("2026-03-04T10:00:00Z");

const read = (typed: Parameters<typeof readFilterFor>[0], known: Record<string, string>) => {
  const asked: string[] = [];
  const session = async (start: string) => {
    asked.push(start);
    const sessionId = known[start];
    return sessionId === undefined ? null : { sessionId };
  };
  const browse = { session } as unknown as Parameters<typeof readFilterFor>[1]["browse"];
  return readFilterFor(typed, { browse, cwd: import.meta.dir, now: NOW }).then((filter) => ({
    filter,
    asked,
  }));
};

test("the start of an id names a session, and an unknown id stays as typed", async () => {
  expect(await read({ session: "38da" }, { "38da": "38da7c2e-full" })).toEqual({
    filter: { session: "38da7c2e-full" },
    asked: ["38da"],
  });
  expect(await read({ session: "ffff" }, {})).toEqual({ filter: { session: "ffff" }, asked: ["ffff"] });
});

test("without a session none is looked for", async () => {
  expect(await read({ branch: "main" }, {})).toEqual({ filter: { branch: "main" }, asked: [] });
});
