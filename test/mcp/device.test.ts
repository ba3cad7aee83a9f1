import { expect, test } from "bun:test";
import { describeSource } from "../../src/mcp/text/items.ts";
import { aTurn } from "../recall/made.ts";

test("a turn that was said on another device of the user names it, and one that was said here does not", () => {
  const there = describeSource(aTurn({ turnId: 1, device: "laptop (3f2a91)" }));
  expect(there.text).toContain(" · said on laptop (3f2a91)");
  expect(there.data).toMatchObject({ device: "laptop (3f2a91)" });
  const here = describeSource(aTurn({ turnId: 1 }));
  expect(here.text).not.toContain("said on");
  expect(here.data).not.toHaveProperty("device");
});
