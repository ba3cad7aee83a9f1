import type { Filter } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { compareTimes } from "../text/when.ts";

type Neighbours = Pick<BrowseStore, "neighbours">;

/** Time limits of a search for what it quotes besides the matching turns. */
export interface TimeLimit {
  /** Reads the neighbours of a turn that are within the time. */
  browse: Neighbours;
  /** Removes the next prompt from a turn within the time, if it came later. */
  withoutLater: (turn: StoredTurn) => Promise<StoredTurn>;
}

/**
 * Limits quotations to the filter's time: a matching turn contains the next prompt and is followed by later turns, which may be
 * outside it.
 */
export function limitTime(browse: Neighbours, { since, until }: Filter): TimeLimit {
  if (since === undefined && until === undefined) return { browse, withoutLater: async (turn) => turn };
  const isWithin = ({ createdAt }: StoredTurn) =>
    createdAt !== null &&
    (since === undefined || compareTimes(createdAt, since) >= 0) &&
    (until === undefined || compareTimes(createdAt, until) <= 0);
  return {
    browse: {
      async neighbours(turnId, count, chars) {
        const { before, after } = await browse.neighbours(turnId, count + 1, chars);
        const later = after.filter(isWithin);
        const isLast = until !== undefined && (later.length < after.length || after.length <= count);
        const turns = later.map((turn, at) => (isLast && at === later.length - 1 ? cutNext(turn) : turn));
        return { before: before.filter(isWithin).slice(-count), after: turns.slice(0, count) };
      },
    },
    async withoutLater(turn) {
      if (until === undefined || turn.parts.at(-1)?.kind !== "forward") return turn;
      const { after } = await browse.neighbours(turn.turnId, 1, 1);
      return after.some(isWithin) ? turn : cutNext(turn);
    },
  };
}

/** Removes the next prompt from a turn. */
function cutNext(turn: StoredTurn): StoredTurn {
  const parts = turn.parts.filter(({ kind }) => kind !== "forward");
  return { ...turn, parts, text: turn.text.slice(0, parts.at(-1)?.end ?? 0) };
}
