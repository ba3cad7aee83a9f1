import { expect, test } from "bun:test";
import { FlatBuffer } from "../../../src/embed/native/ort-model.ts";

/**
 * A root table with a list of two tables of one layout. Each has a byte, 7 and 9, and a table.
 * Positions: root 12, list 24, the two tables 44 and 56, the table that both point to 72.
 */
function twoAlike(): Uint8Array {
  const view = new DataView(new ArrayBuffer(80));
  const u16 = (at: number, ...values: number[]) => {
    for (const [i, value] of values.entries()) view.setUint16(at + i * 2, value, true);
  };
  const i32 = (at: number, value: number) => view.setInt32(at, value, true);
  i32(0, 12);
  u16(4, 6, 8, 4);
  i32(12, 12 - 4);
  i32(16, 24 - 16);
  i32(24, 2);
  i32(28, 44 - 28);
  i32(32, 56 - 32);
  u16(36, 8, 12, 8, 4);
  for (const [table, byte] of [
    [44, 7],
    [56, 9],
  ] as const) {
    i32(table, table - 36);
    i32(table + 4, 72 - (table + 4));
    view.setUint8(table + 8, byte);
  }
  u16(68, 4, 4);
  i32(72, 72 - 68);
  return new Uint8Array(view.buffer);
}

function read(file: FlatBuffer) {
  const describe = (table: number) => ({
    byte: file.byte(table, 0),
    child: file.child(table, 1),
    none: file.child(table, 2),
  });
  return file.children(file.root(), 0).map(describe);
}

test("reads the tables of a list, and their fields", () => {
  expect(read(new FlatBuffer(twoAlike()))).toEqual([
    { byte: 7, child: 72, none: null },
    { byte: 9, child: 72, none: null },
  ]);
});

test.each([
  ["an array", (bytes: Uint8Array) => bytes],
  ["a buffer", (bytes: Uint8Array) => Buffer.from(bytes)],
])("a field that is removed from one table stays in others of the same layout, in %s", (_, made) => {
  const file = new FlatBuffer(made(twoAlike()));
  file.remove(44, 1);
  file.remove(44, 1);
  const expected = [
    { byte: 7, child: null, none: null },
    { byte: 9, child: 72, none: null },
  ];
  expect(read(file)).toEqual(expected);
  expect(read(new FlatBuffer(file.bytes))).toEqual(expected);
});

test("tables of one layout share the layout without the field", () => {
  const once = new FlatBuffer(twoAlike());
  once.remove(44, 1);
  const { length } = once.bytes;
  once.remove(56, 1);
  expect(once.bytes.length).toBe(length);
  expect(read(once).map(({ child }) => child)).toEqual([null, null]);
});

test("bytes of another format are refused", () => {
  expect(() => new FlatBuffer(new Uint8Array([255, 255, 0, 0])).children(0, 0)).toThrow(RangeError);
});
