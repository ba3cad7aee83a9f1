import { expect, test } from "bun:test";
import { READ } from "../../../src/constants.ts";
import { BlockReader } from "../../../src/ingest/transcript/lines.ts";

test("a block is handed to one reader at a time, and again when it comes back", () => {
  const blocks = new BlockReader();
  const first = blocks.take();
  const second = blocks.take();
  expect([first.length, second.length]).toEqual([READ.blockBytes, READ.blockBytes]);
  expect(second === first).toBe(false);
  blocks.giveBack(second);
  expect(blocks.take()).toBe(second);
  expect(blocks.take()).not.toBe(second);
});

test("a block that grew for a long line is kept up to 4 MB", () => {
  const blocks = new BlockReader();
  blocks.giveBack(Buffer.alloc((4 << 20) + 1));
  expect(blocks.take().length).toBe(READ.blockBytes);
  const largest = Buffer.alloc(4 << 20);
  blocks.giveBack(largest);
  expect(blocks.take() === largest).toBe(true);
});
