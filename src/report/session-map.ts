import { project } from "./projection.ts";
import { generator } from "./random.ts";

/** A place on the map, both from 0 to 1. */
export interface Place {
  x: number;
  y: number;
}

/** Where sessions are on the map, and which are nearest to each in the space they come from, nearest first. */
export interface SessionMap {
  places: Place[];
  neighbours: number[][];
}

/** Neighbours are looked for among so many principal components. */
const COMPONENTS = 24;
/** Each point is drawn to so many neighbours. */
const NEIGHBOURS = 10;
/** Layout: rounds, far points that push each one away in a round, and the step of the first round. */
const ROUNDS = 240;
const PUSHES = 6;
const FIRST_STEP = 1;
/** No single pull or push is stronger. */
const STRONGEST = 4;

/**
 * Lays vectors out in two dimensions so that near ones are neighbours: principal components first, then points are
 * drawn to their nearest neighbours and pushed from others (as in UMAP's layout, with fixed a = b = 1). Deterministic.
 */
export function sessionMap(vectors: readonly Float32Array[]): SessionMap {
  if (vectors.length === 0) return { places: [], neighbours: [] };
  const reduced = project(vectors, COMPONENTS);
  const neighbours = reduced.map((_, i) => nearest(reduced, i, NEIGHBOURS));
  const points = spread(reduced);
  if (points.length > 3) arrange(points, neighbours);
  return { places: fitted(separate(fitted(points))).map(([x, y]) => ({ x, y })), neighbours };
}

function nearest(rows: readonly Float64Array[], of: number, count: number): number[] {
  const own = rows[of];
  const best: { row: number; distance: number }[] = [];
  for (let row = 0; row < rows.length; row++) {
    const other = rows[row];
    if (row === of || !own || !other) continue;
    const limit = best.length < count ? Number.POSITIVE_INFINITY : (best.at(-1)?.distance ?? 0);
    let distance = 0;
    for (let i = 0; i < own.length && distance < limit; i++)
      distance += ((own[i] ?? 0) - (other[i] ?? 0)) ** 2;
    if (distance >= limit) continue;
    const before = best.findIndex((each) => each.distance > distance);
    best.splice(before < 0 ? best.length : before, 0, { row, distance });
    if (best.length > count) best.pop();
  }
  return best.map(({ row }) => row);
}

/** The first two components, ten units wide, with what lies on one point moved apart a little. */
function spread(reduced: readonly Float64Array[]): [number, number][] {
  const random = generator();
  const most = Math.max(1e-9, ...reduced.flatMap((row) => [Math.abs(row[0] ?? 0), Math.abs(row[1] ?? 0)]));
  const place = (value = 0) => (value / most) * 10 + (random() - 0.5) * 0.02;
  return reduced.map((row) => [place(row[0]), place(row[1])]);
}

function arrange(points: [number, number][], neighbours: readonly (readonly number[])[]): void {
  const random = generator();
  const pullTogether = (point: [number, number], near: readonly number[], step: number) => {
    for (const [rank, j] of near.entries()) {
      // The nearest pull in every round, the last in few: as edges are sampled by their weight.
      if (random() * NEIGHBOURS >= NEIGHBOURS - rank) continue;
      const other = points[j];
      if (other) move(point, other, step, (d2) => -2 / (1 + d2), true);
    }
  };
  const pushAway = (point: [number, number], step: number) => {
    for (let push = 0; push < PUSHES; push++) {
      const other = points[Math.floor(random() * points.length)];
      if (other && other !== point) move(point, other, step, (d2) => 2 / ((0.01 + d2) * (1 + d2)), false);
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    const step = FIRST_STEP * (1 - round / ROUNDS);
    for (const [i, point] of points.entries()) {
      pullTogether(point, neighbours[i] ?? [], step);
      pushAway(point, step);
    }
  }
}

function move(
  a: [number, number],
  b: [number, number],
  step: number,
  force: (squaredDistance: number) => number,
  both: boolean,
): void {
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  const strength = force(dx * dx + dy * dy);
  const bounded = (delta: number) => Math.max(-STRONGEST, Math.min(STRONGEST, strength * delta)) * step;
  a[0] += bounded(dx);
  a[1] += bounded(dy);
  if (!both) return;
  b[0] -= bounded(dx);
  b[1] -= bounded(dy);
}

/** Moves the points into the unit square, each axis by itself; a single point is in the middle. */
function fitted(points: readonly (readonly [number, number])[]): [number, number][] {
  const axis = (i: 0 | 1) => {
    const values = points.map((point) => point[i]);
    const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    return (value: number) =>
      points.length === 1 || most === least ? 0.5 : (value - least) / (most - least);
  };
  const [x, y] = [axis(0), axis(1)];
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  return points.map((point) => [rounded(x(point[0])), rounded(y(point[1]))]);
}

/** Points keep so much of the side of the square that each would have to itself if they filled the map evenly. */
const ELBOW_ROOM = 0.42;
const SEPARATING_ROUNDS = 60;

/** Pushes apart what would be drawn on top of each other, so that a crowd is as large as it has members. */
function separate(points: [number, number][]): [number, number][] {
  const room = ELBOW_ROOM / Math.sqrt(points.length);
  for (let round = 0; round < SEPARATING_ROUNDS; round++) {
    const cells = new Map<string, [number, number][]>();
    const cellOf = (value: number) => Math.floor(value / room);
    for (const point of points) {
      const key = `${cellOf(point[0])} ${cellOf(point[1])}`;
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [point]);
      else cell.push(point);
    }
    let moved = false;
    for (const point of points) {
      const [column, row] = [cellOf(point[0]), cellOf(point[1])];
      for (let at = 0; at < 9; at++) {
        for (const other of cells.get(`${column + (at % 3) - 1} ${row + Math.floor(at / 3) - 1}`) ?? [])
          moved = (other !== point && part(point, other, room)) || moved;
      }
    }
    if (!moved) break;
  }
  return points;
}

/** Moves two points half of what they lack of `room` each; false when they have enough. */
function part(a: [number, number], b: [number, number], room: number): boolean {
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  const distance = Math.sqrt(dx * dx + dy * dy);
  if (distance >= room) return false;
  const share = distance === 0 ? 0 : (room - distance) / distance / 2;
  const [x, y] = distance === 0 ? [room / 2, 0] : [dx * share, dy * share];
  a[0] += x;
  a[1] += y;
  b[0] -= x;
  b[1] -= y;
  return true;
}
