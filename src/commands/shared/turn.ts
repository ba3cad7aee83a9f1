import type { SearchStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/types.ts";

/** Whether what was typed can be the number of a turn. */
export function isTurnNumber(typed: string): boolean {
  return /^\d{1,15}$/.test(typed);
}

/** Returns the turn of this number; null when there is none, or when it is not a number. */
export async function findTurn(
  search: Pick<SearchStore, "turns">,
  typed: string,
): Promise<StoredTurn | null> {
  const [turn] = isTurnNumber(typed) ? await search.turns([Number(typed)]) : [];
  return turn ?? null;
}
