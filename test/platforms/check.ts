import type { Place } from "./place.ts";

/** One thing that must work on a platform. Checks run in their order, in one place. */
export interface Check {
  name: string;
  /** Left out where the platform has nothing of the kind. */
  where?: (place: Place) => boolean;
  /** Whether it runs also where each start takes seconds. */
  isEssential?: boolean;
  /** Throws an error that says what is wrong. */
  run(place: Place): Promise<void>;
}

/** What came of a check: an empty problem where it holds. */
export interface Outcome {
  name: string;
  problem: string;
  seconds: number;
}

/** Throws unless a text holds another one. */
export function holds(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`no ${JSON.stringify(wanted)} in: ${text.slice(0, 300)}`);
}

/** Throws unless two values are the same. */
export function same(actual: unknown, wanted: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${is?.slice(0, 300)} in the place of ${should?.slice(0, 300)}`);
}
