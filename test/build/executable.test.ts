import { describe, expect, test } from "bun:test";
import { signatureProblem, withSignature } from "../../src/build/executable.ts";

const PAGE = 4096;

/** A program of so many bytes before its signature, with the load commands that a signature needs. */
function program(limit: number): Buffer {
  const file = Buffer.alloc(limit + 32, 7);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(3, 16);
  let at = 32;
  for (const [name, offset, size] of [
    ["__TEXT", 0, PAGE],
    ["__LINKEDIT", PAGE, limit + 32 - PAGE],
  ] as const) {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(`${name}${"\0".repeat(16 - name.length)}`, at + 8, "latin1");
    for (const [index, value] of [offset, size, offset, size].entries())
      file.writeBigUInt64LE(BigInt(value), at + 24 + 8 * index);
    at += 72;
  }
  for (const value of [0x1d, 16, limit, 32]) {
    file.writeUInt32LE(value, at);
    at += 4;
  }
  return file;
}

describe.each([2 * PAGE, 2 * PAGE + 16, 5 * PAGE - 16])("a program of %i bytes", (limit) => {
  test("is signed with a hash of each page, and nothing behind the signature is left", () => {
    const given = program(limit);
    expect(signatureProblem(given)).toBe("there is no signature");
    const made = Buffer.from(withSignature(given, "mementor"));
    expect(signatureProblem(made)).toBeNull();
    const size = made.readUInt32LE(32 + 72 + 72 + 12);
    expect(made.length).toBe(limit + size);
    // The segment of the signature ends with the file, and is mapped as a whole.
    expect(made.readBigUInt64LE(32 + 72 + 48)).toBe(BigInt(made.length - PAGE));
    expect(Number(made.readBigUInt64LE(32 + 72 + 32))).toBeGreaterThanOrEqual(made.length - PAGE);
    expect(Buffer.from(withSignature(made, "mementor"))).toEqual(made);
  });

  test("shows which page has changed", () => {
    const made = withSignature(program(limit), "mementor");
    const last = Math.ceil(limit / PAGE) - 1;
    for (const [at, page] of [
      [PAGE + 5, 1],
      [limit - 1, last],
    ] as const) {
      const changed = new Uint8Array(made);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(signatureProblem(changed)).toBe(`page ${page} has changed since it was signed`);
    }
  });
});

test("a signature of something shorter does not count", () => {
  const made = Buffer.from(withSignature(program(3 * PAGE), "mementor"));
  made.writeUInt32BE(2 * PAGE, 3 * PAGE + 20 + 32);
  expect(signatureProblem(made)).toBe("it does not cover the whole file");
});

test("a file without a place for a signature is refused", () => {
  const file = program(2 * PAGE);
  file.writeUInt32LE(2, 16);
  expect(() => withSignature(file, "mementor")).toThrow("no place for a signature");
});
