import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { messageLines } from "../../src/mcp/transport.ts";

async function* chunked(bytes: Uint8Array, sizes: readonly number[]) {
  for (let start = 0, i = 0; start < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function linesOf(text: string, sizes: readonly number[], most = 1_000): Promise<(string | null)[]> {
  return Array.fromAsync(messageLines(chunked(new TextEncoder().encode(text), sizes), most));
}

describe("lines of messages", () => {
  test("come the same however the bytes come", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => JSON.stringify(text));
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        sizes,
        fc.constantFrom("\n", "\r\n", "\n\n"),
        async (lines, by, end) => {
          const well = lines.map((one) => one.toWellFormed());
          expect(await linesOf(well.join(end), by)).toEqual(well);
        },
      ),
    );
  });

  const cases: [string, string, number, (string | null)[]][] = [
    ["a separator that JSON may hold does not end one", '"a\u2028b\u0085c"\n', 99, ['"a\u2028b\u0085c"']],
    ["an empty input holds none", "", 99, []],
    ["white space alone is none", "\n  \n\t\n", 99, []],
    ["the last one needs no end", "1\n2", 99, ["1", "2"]],
    ["one that is too long comes as null, once", `${"x".repeat(50)}\n1\n`, 9, [null, "1"]],
    ["one that is too long at the end, too", `1\n${"x".repeat(50)}`, 9, ["1", null]],
  ];
  for (const [name, text, most, expected] of cases)
    for (const size of [1, 3, 1_000])
      test(`${name} (chunks of ${size})`, async () => {
        expect(await linesOf(text, [size], most)).toEqual(expected);
      });
});
