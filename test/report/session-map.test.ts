import { describe, expect, test } from "bun:test";
import { project } from "../../src/report/projection.ts";
import { generator } from "../../src/report/random.ts";
import { sessionMap } from "../../src/report/session-map.ts";

const WIDTH = 32;

/** Vectors around a few directions: group `i % groups` for the i-th. */
function grouped(count: number, groups: number, noise: number): Float32Array[] {
  const random = generator();
  const centres = Array.from({ length: groups }, () => Array.from({ length: WIDTH }, () => random() - 0.5));
  return Array.from({ length: count }, (_, i) =>
    Float32Array.from(centres[i % groups] ?? [], (value) => value + (random() - 0.5) * noise),
  );
}

test("principal components: the first has the most variance, and a line stays a line", () => {
  const line = Array.from({ length: 9 }, (_, i) => Float32Array.of(Math.cos(i / 20), Math.sin(i / 20), 0));
  const points = project(line, 2);
  const firsts = points.map((point) => point[0] ?? 0);
  const sorted = firsts.toSorted((a, b) => a - b);
  expect([sorted, sorted.toReversed()]).toContainEqual(firsts);
  const variance = (i: number) => points.reduce((sum, point) => sum + (point[i] ?? 0) ** 2, 0);
  expect(variance(0)).toBeGreaterThan(20 * variance(1));
});

test("directions without variance are zero", () => {
  const same = [Float32Array.of(1, 2), Float32Array.of(2, 4)];
  expect(project(same, 3).map((row) => [...row].map(Math.abs))).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

describe("the map", () => {
  test("keeps groups together: nearly every nearest neighbour on it is of the same group", () => {
    const { places } = sessionMap(grouped(200, 5, 0.3));
    const kept = places.filter((place, i) => {
      const distances = places.map((other, j) =>
        i === j ? Number.POSITIVE_INFINITY : Math.hypot(place.x - other.x, place.y - other.y),
      );
      return distances.indexOf(Math.min(...distances)) % 5 === i % 5;
    });
    expect(kept.length).toBeGreaterThan(190);
  });

  test("names the nearest in the space that the vectors are in", () => {
    const { neighbours } = sessionMap(grouped(40, 4, 0.1));
    for (const [i, near] of neighbours.entries())
      expect(near.slice(0, 9).map((j) => j % 4)).toEqual(Array(9).fill(i % 4));
  });

  test.each([6, 9, 12, 15])(
    "of %d sessions and one like no other gives those nearly all of its room",
    (count) => {
      const vectors = grouped(count, 1, 0.3);
      const other = Float32Array.from(vectors[0] ?? [], (value, i) => (i % 2 === 0 ? value * 3 : -value));
      const { places } = sessionMap([...vectors, other]);
      for (const axis of ["x", "y"] as const) {
        const values = places.slice(0, -1).map((place) => place[axis]);
        expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.8);
      }
    },
  );

  test("is the same each time, and inside the unit square", () => {
    const vectors = grouped(60, 3, 0.5);
    const map = sessionMap(vectors);
    expect(sessionMap(vectors)).toEqual(map);
    for (const { x, y } of map.places) {
      expect(x).toBeWithin(0, 1.0001);
      expect(y).toBeWithin(0, 1.0001);
    }
  });

  test.each([0, 1, 2, 3, 30])("of %d equal vectors gives each a place", (count) => {
    const { places } = sessionMap(Array.from({ length: count }, () => Float32Array.of(1, 0, 0)));
    expect(places.length).toBe(count);
    expect(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
  });

  test("does with vectors that have no direction", () => {
    const { places } = sessionMap([new Float32Array(3), new Float32Array(3), Float32Array.of(0, 1, 0)]);
    expect(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});
