import type { RecallStore } from "../../store/contract/recall.ts";
import type { SearchStore } from "../../store/contract/store.ts";

/** The latest turns of the running session that count as known to the agent. */
const OWN_TURNS = 12;

export interface OwnSession {
  /** The latest first. */
  turnIds: number[];
  /** The texts of these turns, in the order of the session. */
  texts: string[];
}

/** Returns what the running session said last. */
export async function ownSession(
  sessionId: string,
  { store, recall }: { store: Pick<SearchStore, "turns">; recall: Pick<RecallStore, "latestTurns"> },
): Promise<OwnSession> {
  const turnIds = await recall.latestTurns(sessionId, OWN_TURNS);
  return { turnIds, texts: (await store.turns(turnIds)).map(({ text }) => text).reverse() };
}
