import type { BrowseStore, SearchStore } from "../../store/contract/store.ts";
import { amendmentsOf } from "../matter/matter.ts";
import type { QueryParts } from "../query.ts";
import type { Judged } from "./choose.ts";

/** Turns that are looked at for what amends a chosen one. */
const AMENDING = 8;

interface NewestStores {
  search: Pick<SearchStore, "termTurns">;
  /** Without it, what amends a turn is not looked for. */
  browse: Pick<BrowseStore, "neighbours"> | undefined;
}

/** Puts what amends a chosen turn, or a note on its matter, right before it, as sure as that is. */
export async function newestFirst(
  chosen: readonly Judged[],
  judged: readonly Judged[],
  asked: { parts: QueryParts; turns: number },
  { search, browse }: NewestStores,
): Promise<Judged[]> {
  if (browse === undefined) return [...chosen];
  const first = chosen.map(({ scored }) => scored);
  const others = judged.map(({ scored }) => scored).filter((scored) => !first.includes(scored));
  const ranked = [...first, ...others].slice(0, AMENDING);
  const matters = await amendmentsOf(ranked, asked, { search, browse });
  const ordered = chosen.flatMap((each) => {
    const states = matters
      .map((matter) => matter.states)
      .find((states) => states.some(({ found }) => found.includes(each.scored)));
    const own = states?.findIndex(({ found }) => found.includes(each.scored)) ?? 0;
    const newer = states?.slice(0, own).flatMap(({ found }) => found.slice(0, 1)) ?? [];
    return [...newer.map((scored) => ({ scored, worth: each.worth })), each];
  });
  return ordered.filter(({ scored }, at) => ordered.findIndex((one) => one.scored === scored) === at);
}
