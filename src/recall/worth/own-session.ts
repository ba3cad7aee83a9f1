import type { RecallStore } from "../../store/marks.ts";
import type { SearchStore } from "../../store/store.ts";
import { RANKED_CHARS } from "../read-to-rank.ts";

/** Number of the running session's latest turns that count as known to the agent. */
const OWN_TURNS = 12;

/** Number of last lines that show whether the memory is up to date. */
const LAST_LINES = 3;

interface OwnSessionDeps {
  store: Pick<SearchStore, "turns">;
  recall: Pick<RecallStore, "latestTurns">;
  /** Returns the session's latest words, which the memory may not have read yet. */
  saidNow?: (() => Promise<string>) | undefined;
}

/** Returns the running session's latest words, turn by turn. */
export async function ownSession(
  sessionId: string,
  { store, recall, saidNow = async () => "" }: OwnSessionDeps,
): Promise<string[]> {
  const turnIds = await recall.latestTurns(sessionId, OWN_TURNS);
  const texts = (await store.turns(turnIds, RANKED_CHARS)).map(({ text }) => text).reverse();
  const now = await saidNow();
  return isRead(now, texts) ? texts : [...texts, now];
}

/** Tells whether the texts contain the end of the latest words. */
function isRead(said: string, texts: readonly string[]): boolean {
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.slice(-LAST_LINES).every((line) => texts.some((text) => text.includes(line)));
}
