import { usualRange } from "./outliers.ts";
import { project } from "./projection.ts";
import { generator } from "./random.ts";

/** A place on the map; both coordinates are from 0 to 1. */
export interface Place {
  x: number;
  y: number;
}

/** The places of sessions on the map, and for each session its nearest neighbours in vector space, nearest first. */
export interface SessionMap {
  places: Place[];
  neighbours: number[][];
}

/** Number of principal components in which neighbours are searched for. */
const COMPONENTS = 24;
/** Number of neighbours that attract each point. */
const NEIGHBOURS = 10;
/** Rounds of the layout. */
const ROUNDS = 240;
/** Number of random points that repel each point in a round. */
const PUSHES = 6;
/** Step size of the first round; it decreases to 0. */
const FIRST_STEP = 1;
/** Bound of a single pull or push. */
const MAX_FORCE = 4;

/**
 * Lays out vectors in two dimensions so that similar vectors are close. Starts from principal components; then nearest
 * neighbours attract and other points repel each point (as in UMAP's layout with a = b = 1). Deterministic.
 */
export function sessionMap(vectors: readonly Float32Array[]): SessionMap {
  if (vectors.length === 0) return { places: [], neighbours: [] };
  const reduced = project(vectors, COMPONENTS);
  const neighbours = reduced.map((_, i) => nearest(reduced, i, NEIGHBOURS));
  const points = spread(reduced);
  if (points.length > 3) arrange(points, neighbours);
  return { places: fitted(separate(fitted(nearer(points)))).map(([x, y]) => ({ x, y })), neighbours };
}

function nearest(rows: readonly Float64Array[], of: number, count: number): number[] {
  const center = rows[of];
  const best: { row: number; distance: number }[] = [];
  for (let row = 0; row < rows.length; row++) {
    const other = rows[row];
    if (row === of || !center || !other) continue;
    const limit = best.length < count ? Number.POSITIVE_INFINITY : (best.at(-1)?.distance ?? 0);
    const distance = squareDistance(center, other, limit);
    if (distance >= limit) continue;
    const before = best.findIndex((each) => each.distance > distance);
    best.splice(before < 0 ? best.length : before, 0, { row, distance });
    if (best.length > count) best.pop();
  }
  return best.map(({ row }) => row);
}

/** Returns the square of the distance between two points. Stops at `limit`. */
function squareDistance(a: Float64Array, b: Float64Array, limit: number): number {
  let distance = 0;
  for (let i = 0; i < a.length && distance < limit; i++) distance += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return distance;
}

/** Returns the first two components scaled to ±10, with a small random offset that separates equal points. */
function spread(reduced: readonly Float64Array[]): [number, number][] {
  const random = generator();
  const max = Math.max(1e-9, ...reduced.flatMap((row) => [Math.abs(row[0] ?? 0), Math.abs(row[1] ?? 0)]));
  const place = (value = 0) => (value / max) * 10 + (random() - 0.5) * 0.02;
  return reduced.map((row) => [place(row[0]), place(row[1])]);
}

function arrange(points: [number, number][], neighbours: readonly (readonly number[])[]): void {
  const random = generator();
  const pullTogether = (point: [number, number], near: readonly number[], step: number) => {
    for (const [rank, j] of near.entries()) {
      // Near neighbours pull in every round, distant ones in few, like edges sampled by weight.
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
  const bounded = (delta: number) => Math.max(-MAX_FORCE, Math.min(MAX_FORCE, strength * delta)) * step;
  a[0] += bounded(dx);
  a[1] += bounded(dy);
  if (!both) return;
  b[0] -= bounded(dx);
  b[1] -= bounded(dy);
}

/**
 * From which distance from the others a point is an outlier, and how far from them it then stands: shares of their
 * width.
 */
const FAR = 0.3;
const APART = 0.1;

/** Moves outliers near to the others, so that these keep their room. */
function nearer(points: readonly (readonly [number, number])[]): [number, number][] {
  const axis = (i: 0 | 1) => {
    const [min, max] = usualRange(
      points.map((point) => point[i]),
      FAR,
    ) ?? [0, 0];
    const apart = (max - min) * APART;
    return (value: number) => Math.max(min - apart, Math.min(max + apart, value));
  };
  const [x, y] = [axis(0), axis(1)];
  return points.map((point) => [x(point[0]), y(point[1])]);
}

/** Scales the points to the unit square, each axis by itself. A single point goes to the middle. */
function fitted(points: readonly (readonly [number, number])[]): [number, number][] {
  const axis = (i: 0 | 1) => {
    const values = points.map((point) => point[i]);
    const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    return (value: number) => (points.length === 1 || max === min ? 0.5 : (value - min) / (max - min));
  };
  const [x, y] = [axis(0), axis(1)];
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  return points.map((point) => [rounded(x(point[0])), rounded(y(point[1]))]);
}

/** Minimum distance between points, as a share of their distance if they filled the map evenly. */
const MIN_SPACING = 0.42;
const SEPARATING_ROUNDS = 60;

/** Pushes overlapping points apart, so that the area of a cluster shows how many sessions it has. */
function separate(points: [number, number][]): [number, number][] {
  const room = MIN_SPACING / Math.sqrt(points.length);
  for (let round = 0; round < SEPARATING_ROUNDS; round++) {
    if (!separateOnce(points, room)) break;
  }
  return points;
}

/** Moves each pair of points that is too close. Only points in neighbouring cells of a grid can be. */
function separateOnce(points: readonly [number, number][], room: number): boolean {
  const cellOf = (value: number) => Math.floor(value / room);
  const cells = Map.groupBy(points, ([x, y]) => `${cellOf(x)} ${cellOf(y)}`);
  let moved = false;
  for (const point of points) {
    const [column, row] = [cellOf(point[0]), cellOf(point[1])];
    for (let at = 0; at < 9; at++) {
      for (const other of cells.get(`${column + (at % 3) - 1} ${row + Math.floor(at / 3) - 1}`) ?? [])
        moved = (other !== point && part(point, other, room)) || moved;
    }
  }
  return moved;
}

/** Moves two points apart to a distance of `room`, both by the same amount. Returns false when they already are. */
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
