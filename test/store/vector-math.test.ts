import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  cosineDistance,
  fromBytes,
  hammingDistances,
  signBits,
  smallest,
  toBytes,
} from "../../src/store/vector-math.ts";

test("bytes are read back wherever they lie", () => {
  const vector = Float32Array.of(1.5, -2.25, 0, 3);
  const shifted = new Uint8Array(17);
  shifted.set(toBytes(vector), 1);
  expect(fromBytes(toBytes(vector))).toEqual(vector);
  expect(fromBytes(shifted.subarray(1))).toEqual(vector);
});

test("signs are one bit a component, lowest first, padded to words", () => {
  const vector = Float32Array.from({ length: 35 }, (_, i) => (i % 3 === 0 ? 1 : -1));
  expect([...signBits(vector)]).toEqual([0b01001001, 0b10010010, 0b00100100, 0b01001001, 0b10, 0, 0, 0]);
});

test.each([
  { name: "the same direction", a: [1, 2], b: [2, 4], distance: 0 },
  { name: "the opposite direction", a: [1, 2], b: [-1, -2], distance: 2 },
  { name: "a right angle", a: [1, 0], b: [0, 3], distance: 1 },
  { name: "no direction", a: [0, 0], b: [0, 3], distance: 1 },
])("$name is $distance away", ({ a, b, distance }) => {
  expect(cosineDistance(Float32Array.from(a), Float32Array.from(b))).toBeCloseTo(distance, 6);
});

test("hamming distances count the bits that differ", () => {
  const codes = fc.array(fc.uint8Array({ minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(codes, fc.uint8Array({ minLength: 8, maxLength: 8 }), (rows, query) => {
      const bits = (bytes: Uint8Array) =>
        [...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")]);
      const wanted = rows.map((row) => bits(row).filter((bit, i) => bit !== bits(query)[i]).length);
      expect([...hammingDistances(Uint8Array.from(rows.flatMap((row) => [...row])), query)]).toEqual(wanted);
    }),
  );
});

test("the smallest come first, earlier before later among equals", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.nat(30), (values, limit) => {
      const wanted = values
        .map((value, at) => ({ value, at }))
        .sort((a, b) => a.value - b.value || a.at - b.at);
      expect(smallest(Uint16Array.from(values), limit)).toEqual(wanted.slice(0, limit).map(({ at }) => at));
    }),
  );
});
