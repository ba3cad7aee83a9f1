import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  cosineDistance,
  fromBytes,
  signBits,
  signDistances,
  signDistanceTable,
  smallestPositions,
  toBytes,
} from "../../src/store/sqlite/vectors/math.ts";

test("bytes are read back wherever they lie", () => {
  const vector = Float32Array.of(1.5, -2.25, 0, 3);
  const shifted = new Uint8Array(17);
  shifted.set(toBytes(vector), 1);
  expect(fromBytes(toBytes(vector))).toEqual(vector);
  expect(fromBytes(shifted.subarray(1))).toEqual(vector);
});

test("signs take one bit per component, lowest first, padded to words", () => {
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

test("the distance to signs is the weight of the components with the other sign", () => {
  const component = fc.double({ min: -1, max: 1, noNaN: true });
  const vector = fc
    .array(component, { minLength: 40, maxLength: 40 })
    .map((values) => Float32Array.from(values));
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 20 }), vector, (rows, query) => {
      const size = query.reduce((sum, value) => sum + Math.abs(value), 0);
      fc.pre(size > 0.01);
      const measured = new Uint16Array(rows.length);
      const codes = Uint8Array.from(rows.flatMap((row) => [...signBits(row)]));
      signDistances(codes, signDistanceTable(query), measured);
      for (const [i, row] of rows.entries()) {
        const other = query.reduce(
          (sum, value, k) => sum + (value > 0 === (row[k] ?? 0) > 0 ? 0 : Math.abs(value)),
          0,
        );
        expect((measured[i] ?? 0) / 4_095).toBeCloseTo(other / size, 1);
      }
    }),
  );
});

test("a query without a direction is equally far from all signs", () => {
  const measured = new Uint16Array(2);
  const codes = [Float32Array.of(1, -1), Float32Array.of(-1, 1)].flatMap((row) => [...signBits(row)]);
  signDistances(Uint8Array.from(codes), signDistanceTable(new Float32Array(2)), measured);
  expect([...measured]).toEqual([0, 0]);
});

test("the smallest are found, of equal ones the earlier", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(9), fc.constantFrom(65_534, 65_535))),
      fc.nat(30),
      fc.nat(30),
      (values, limit, cut) => {
        const wanted = values
          .map((value, at) => ({ value, at }))
          .sort((a, b) => a.value - b.value || a.at - b.at);
        const positions = wanted.slice(0, limit).map(({ at }) => at);
        const parts = [values.slice(0, cut), values.slice(cut)].map((part) => Uint16Array.from(part));
        const [first, second] = smallestPositions(parts, limit);
        const found = [...(first ?? []), ...(second ?? []).map((at) => at + (parts[0]?.length ?? 0))];
        expect(found).toEqual(positions.sort((a, b) => a - b));
      },
    ),
  );
});
