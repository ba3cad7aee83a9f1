import { expect, test } from "bun:test";
import { parseBytes } from "../../src/text/numbers.ts";

test.each<[string, number]>([
  ["7", 7],
  ["7b", 7],
  ["500MB", 500_000_000],
  ["500m", 500_000_000],
  ["1.5 GB", 1_500_000_000],
  ["2g", 2_000_000_000],
  ["2GiB", 2_147_483_648],
  ["3mib", 3_145_728],
  [" 64KiB ", 65_536],
  ["64k", 64_000],
  ["64kb", 64_000],
  ["0.0004k", 0],
  ["0.0005k", 1],
])("%p is %d bytes", (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each(["", "MB", "5 x", "5  GB", "-1", "1e3", "1.", ".5", "1.2.3", "5TB", "1234567890123"])(
  "%p is no size",
  (text) => {
    expect(parseBytes(text)).toBeNull();
  },
);
