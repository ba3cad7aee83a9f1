import type { Replacement } from "../search/hits.ts";

/** Says since when a turn no longer holds. */
export function replacedText({ turnId, since }: Replacement): string {
  return `replaced by turn ${turnId}${since === null ? "" : ` since ${since.slice(0, 10)}`}`;
}
