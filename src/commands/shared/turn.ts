import type { SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/types.ts";

/** Whether an argument has the form of a turn's number. */
export function isTurnNumber(typed: string): boolean {
  return /^\d{1,15}$/.test(typed);
}

/** Returns the turn with this number. Null when there is none, or when the argument is not a number. */
export async function findTurn(
  search: Pick<SearchStore, "turns">,
  typed: string,
): Promise<StoredTurn | null> {
  const [turn] = isTurnNumber(typed) ? await search.turns([Number(typed)]) : [];
  return turn ?? null;
}
