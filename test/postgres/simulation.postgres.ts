import { expect, test } from "bun:test";
import { simulate } from "./simulation.ts";

test("members whose processes, connections and server fail all hold the same turns in the end", async () => {
  const outcome = await simulate({ members: 6, seconds: 12, paceMs: 400, seed: 1 });
  if (typeof outcome === "string") throw new Error(outcome);
  expect(outcome.problems).toEqual([]);
  expect(outcome.figures).toMatchObject({ members: 6 });
});
